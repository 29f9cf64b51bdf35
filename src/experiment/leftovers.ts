import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Writer, writerOf } from '../store/write.ts'
import { isOwn, type Processes } from './lock.ts'

/** Folders below a store's or an experiment's root that may hold temporary files. */
const DEEPEST = 3

/** Nothing takes a week to write: what is as old was left by a process that nobody here can ask for. */
const OLD = 7 * 24 * 3600 * 1000

/**
 * Removes what processes that are no more (killed while they wrote) left half-written in a folder and below it. What
 * another host writes is left to it, unless it is old.
 */
export function removeLeftovers(folder: string, processes: Processes, depth = DEEPEST): void {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    const writer = writerOf(entry.name)
    if (writer === null) {
      if (entry.isDirectory() && depth > 1) removeLeftovers(path, processes, depth - 1)
    } else if (isLeft(path, writer, processes)) rmSync(path, { recursive: true, force: true })
  }
}

/** Others write and rename here at the same time: what was there a moment ago may be gone. */
function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function isLeft(path: string, writer: Writer, processes: Processes): boolean {
  const { host, isAlive, now } = processes
  if (writer.host === host && !isOwn(writer, processes)) return !isAlive(writer.pid, writer.started)
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats !== undefined && now() - stats.mtimeMs > OLD
}
