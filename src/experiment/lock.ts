import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { UserError } from '../errors.ts'

/** The processes of this machine, as the command line sees them. */
export interface Processes {
  readonly pid: number
  isAlive(pid: number): boolean
}

/**
 * One run an experiment folder at a time. The lock names its process, so that one left by a crash is seen to be dead
 * and taken over. Returns how to give it back.
 */
export function lock(folder: string, { pid, isAlive }: Processes): () => void {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'lock')
  for (let attempt = 0; ; attempt++) {
    try {
      const file = openSync(path, 'wx')
      writeSync(file, JSON.stringify({ pid, host: hostname() }))
      closeSync(file)
      return () => rmSync(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const holder = holderOf(path)
      if (holder && (holder.host !== hostname() || isAlive(holder.pid)) && holder.pid !== pid)
        throw new UserError({
          file: folder,
          message: `is being run by process ${holder.pid} on ${holder.host}; wait for it, or choose another folder with --out`,
        })
      if (attempt > 3)
        throw new UserError({ file: path, message: 'cannot be taken; delete it if no run is going on' })
      rmSync(path, { force: true })
    }
  }
}

function holderOf(path: string): { pid: number; host: string } | null {
  try {
    return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
  } catch {
    // Killed between creating and writing: nobody holds it.
    return null
  }
}
