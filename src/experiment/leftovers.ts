import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Processes } from './lock.ts'

/** Everything is written to `<name>.<process>.tmp` first (or `<process>.<count>.tmp`) and renamed. */
const TEMPORARY = /(?:^|\.)(\d+)(?:\.\d+)?\.tmp$/

/** Folders below a store's or an experiment's root that may hold such files. */
const DEEPEST = 3

/** Removes what processes that are no more (killed while they wrote) left half-written in a folder and below it. */
export function removeLeftovers(folder: string, { pid, isAlive }: Processes, depth = DEEPEST): void {
  if (!existsSync(folder)) return
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    const [, writer] = TEMPORARY.exec(entry.name) ?? []
    if (writer !== undefined) {
      if (Number(writer) !== pid && !isAlive(Number(writer))) rmSync(path, { recursive: true, force: true })
    } else if (entry.isDirectory() && depth > 1) removeLeftovers(path, { pid, isAlive }, depth - 1)
  }
}
