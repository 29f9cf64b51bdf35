import {
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { UserError } from '../errors.ts'
import { throwIfStopping } from '../stopping.ts'
import { makeFolder, temporaryName, type Writer, writerOf } from '../store/write.ts'

export interface Processes {
  readonly pid: number
  readonly started: number | null
  readonly host: string
  now(): number
  /** Removes a file at exit, unless the returned function was called. */
  removeAtExit(path: string): () => void
  /** False for a zombie, or another start time. */
  isAlive(pid: number, started: number | null): boolean
}

interface Holder extends Writer {
  readonly name: string
}

/**
 * Locks a folder; returns the release function. A dead process's lock is taken over, another host's never, since its
 * process cannot be examined.
 */
export function lock(folder: string, processes: Processes): () => void {
  const { pid, started, host, removeAtExit } = processes
  makeFolder(folder)
  const path = join(folder, 'lock')
  const fresh = temporaryName(path)
  const content = JSON.stringify({ pid, started, host, name: hostname() })
  try {
    writeFileSync(fresh, content)
    for (let attempt = 0; ; attempt++) {
      if (putInPlace(fresh, path)) return giveBack(path, removeAtExit)
      const holderText = read(path)
      const holder = runnerOf(holderText, processes)
      if (holder !== null)
        throw new UserError(
          `is being run by process ${holder.pid} on ${holder.name}${holder.elsewhere ? ' (another machine or container, or this one before it was started again)' : ''}; wait for it, or choose another folder with --out. If there is no such run, delete ${path}`,
          folder,
        )
      if (attempt > 3) throw new UserError('cannot be locked; delete it if no run is in progress', path)
      takeAway(path, holderText)
    }
  } finally {
    rmSync(fresh, { force: true })
  }
}

/** Milliseconds between looks at a lock, and looks before a notice. */
const LOOKS = 500
const WAITS = 20

/** Takes a lock once no other process holds one; `notice` reports waiting. */
export async function whenFree<T>(
  folder: string,
  processes: Processes,
  take: () => T,
  notice: (line: string) => void = () => {},
): Promise<T> {
  for (let look = 0; ; look++) {
    const runner = runnerIn(folder, processes)
    if (look === WAITS && runner)
      notice(
        `waiting for process ${runner.pid} on ${runner.name}; if there is no such run, delete ${join(folder, 'lock')}`,
      )
    if (runner === null)
      try {
        return take()
      } catch (error) {
        if (!(error instanceof UserError) || runnerIn(folder, processes) === null) throw error
      }
    await sleep(LOOKS)
    throwIfStopping()
  }
}

function giveBack(path: string, removeAtExit: Processes['removeAtExit']): () => void {
  const forget = removeAtExit(path)
  return () => {
    forget()
    rmSync(path, { force: true })
  }
}

function putInPlace(fresh: string, path: string): boolean {
  try {
    linkSync(fresh, path)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes(code ?? '')) throw error
  }
  // File systems without hard links.
  try {
    copyFileSync(fresh, path, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Removes a dead lock. If another run has it by then, it is put back. */
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

export function isLock(path: string): boolean {
  return basename(path) === 'lock' && /^($|\{"pid")/.test(read(path) ?? '-')
}

function holderOf(text: string | null): Holder | null {
  try {
    const { pid, started = null, host, name } = JSON.parse(text ?? 'null')
    const whole = Number.isSafeInteger(pid) && pid > 0 && typeof host === 'string'
    return whole
      ? { pid, started: Number.isSafeInteger(started) ? started : null, host, name: String(name) }
      : null
  } catch {
    return null
  }
}

export interface Runner {
  readonly pid: number
  readonly name: string
  /** True on another machine: it counts as running. */
  readonly elsewhere: boolean
}

/** Process that runs the experiment in `folder`; null without a lock or with a dead one. */
export function runnerIn(folder: string, processes: Processes): Runner | null {
  return runnerOf(read(join(folder, 'lock')), processes)
}

function runnerOf(lock: string | null, processes: Processes): Runner | null {
  const holder = holderOf(lock)
  if (holder === null) return null
  const elsewhere = holder.host !== processes.host
  const { pid, name } = holder
  return elsewhere || isRunning(holder, processes) ? { pid, name, elsewhere } : null
}

export function isRunning(writer: Writer, processes: Processes): boolean {
  // A lock with our number but no start time is an earlier process's.
  return isOwn(writer, processes) ? writer.started !== null : processes.isAlive(writer.pid, writer.started)
}

export function isOwn(writer: Writer, { pid, started }: Processes): boolean {
  return writer.pid === pid && (writer.started === null || started === null || writer.started === started)
}

const DEEPEST = 3

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
