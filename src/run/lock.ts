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
import { basename, join } from 'node:path'
import { UserError } from '../errors.ts'
import { temporaryName } from '../store/write.ts'

/** The processes of this machine, as the command line sees them. */
export interface Processes {
  readonly pid: number
  /** Which machine's (or container's) processes these are: `HOST`. */
  readonly host: string
  /** Milliseconds since 1970. */
  now(): number
  /** Calls back when this process ends by itself, until the returned function is called. */
  onExit(listener: () => void): () => void
  isAlive(pid: number): boolean
}

interface Holder {
  readonly pid: number
  readonly host: string
  /** The host's name, for people. */
  readonly name: string
}

/**
 * One run an experiment folder at a time. The lock names its process, so that one left by a crash is seen to be dead
 * and taken over; one of another host never is, since nobody here can see whether it lives. It appears with its content or not at all, so nobody takes a half-made lock for a dead one.
 * Returns how to give it back.
 */
export function lock(folder: string, { pid, host, isAlive, onExit }: Processes): () => void {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'lock')
  const fresh = temporaryName(path)
  const own = JSON.stringify({ pid, host, name: hostname() })
  try {
    writeFileSync(fresh, own)
    for (let attempt = 0; ; attempt++) {
      if (putInPlace(fresh, path)) return giveBack(path, onExit)
      const found = read(path)
      const holder = holderOf(found)
      const elsewhere = holder !== null && holder.host !== host
      if (elsewhere || (holder && holder.pid !== pid && isAlive(holder.pid)))
        throw new UserError({
          file: folder,
          message: `is being run by process ${holder.pid} on ${holder.name}${elsewhere ? ' (another machine or container, or this one before it was started again)' : ''}; wait for it, or choose another folder with --out. If there is no such run, delete ${path}`,
        })
      if (attempt > 3)
        throw new UserError({ file: path, message: 'cannot be taken; delete it if no run is in progress' })
      takeAway(path, found)
    }
  } finally {
    rmSync(fresh, { force: true })
  }
}

/** How to give a lock back; a process that ends before gives it back too. */
function giveBack(path: string, onExit: Processes['onExit']): () => void {
  const remove = () => rmSync(path, { force: true })
  const forget = onExit(remove)
  return () => {
    forget()
    remove()
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
function takeAway(path: string, dead: string | null): void {
  const aside = temporaryName(path)
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

/** Whether a file is a lock of ours, whole or not. */
export function isLock(path: string): boolean {
  return basename(path) === 'lock' && /^($|\{"pid")/.test(read(path) ?? '-')
}

function holderOf(text: string | null): Holder | null {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    // No lock of ours: nobody holds it.
    return null
  }
}
