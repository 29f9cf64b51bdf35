import {
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { UserError } from '../errors.ts'

/** The processes of this machine, as the command line sees them. */
export interface Processes {
  readonly pid: number
  isAlive(pid: number): boolean
}

interface Holder {
  readonly pid: number
  readonly host: string
}

/**
 * One run an experiment folder at a time. The lock names its process, so that one left by a crash is seen to be dead
 * and taken over. It appears with its content or not at all, so nobody takes a half-made lock for a dead one.
 * Returns how to give it back.
 */
export function lock(folder: string, { pid, isAlive }: Processes): () => void {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'lock')
  const fresh = `${path}.${pid}.tmp`
  const own = JSON.stringify({ pid, host: hostname() })
  try {
    writeFileSync(fresh, own)
    for (let attempt = 0; ; attempt++) {
      if (putInPlace(fresh, path)) return () => rmSync(path, { force: true })
      const found = read(path)
      const holder = holderOf(found)
      if (holder && (holder.host !== hostname() || isAlive(holder.pid)) && holder.pid !== pid)
        throw new UserError({
          file: folder,
          message: `is being run by process ${holder.pid} on ${holder.host}; wait for it, or choose another folder with --out. If that is no run, delete ${path}`,
        })
      if (attempt > 3)
        throw new UserError({ file: path, message: 'cannot be taken; delete it if no run is going on' })
      takeAway(path, `${path}.taken.${pid}.tmp`, found)
    }
  } finally {
    rmSync(fresh, { force: true })
  }
}

/** Whether the lock was free. */
function putInPlace(fresh: string, path: string): boolean {
  try {
    linkSync(fresh, path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes(code ?? '')) throw error
  }
  // A disk without links.
  try {
    copyFileSync(fresh, path, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Removes a dead lock, unless another run has put its own there in the meantime: that one is given back. */
function takeAway(path: string, aside: string, dead: string | null): void {
  try {
    renameSync(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if (read(aside) !== dead) putInPlace(aside, path)
  rmSync(aside, { force: true })
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function holderOf(text: string | null): Holder | null {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    // No lock of ours: nobody holds it.
    return null
  }
}
