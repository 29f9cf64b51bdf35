import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Writer, writerOf } from '../store/write.ts'
import { isOwn, type Processes } from './lock.ts'

/** Depth of folders that may hold temporary files. */
const DEEPEST = 3

/** Age at which another host's temporary file counts as abandoned. */
const OLD = 7 * 24 * 3600 * 1000

/** Removes temporary files of dead processes, and old ones of other hosts. */
export function removeLeftovers(folder: string, processes: Processes, depth = DEEPEST): void {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    const writer = writerOf(entry.name)
    if (writer === null) {
      if (entry.isDirectory() && depth > 1) removeLeftovers(path, processes, depth - 1)
    } else if (isLeft(path, writer, processes)) rmSync(path, { recursive: true, force: true })
  }
}

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
