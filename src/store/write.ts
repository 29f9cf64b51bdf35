import { randomBytes } from 'node:crypto'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { UserError } from '../errors.ts'
import { sha256 } from './hash.ts'
import { isAlive, startOfThis } from './processes.ts'

/**
 * Every file is written under a temporary name and renamed, so that it exists completely or not at all. The name is
 * `<name>.<host>-<process>.<start>-<random>.tmp`: no other process, here or elsewhere, uses it.
 */

/** A boot and a process namespace rather than a host name, since containers and copied machines share names. */
export const HOST = hostKey()

const TEMPORARY = /\.([0-9a-f]{12})-(\d+)(?:\.(\d+))?-[0-9a-f]{12}\.tmp$/

export function temporaryName(path: string): string {
  const started = startOfThis()
  const pid = started === null ? process.pid : `${process.pid}.${started}`
  return `${path}.${HOST}-${pid}-${randomBytes(6).toString('hex')}.tmp`
}

export interface Writer {
  readonly host: string
  readonly pid: number
  readonly started: number | null
}

/** Process that writes under a temporary name; null for any other name. */
export function writerOf(name: string): Writer | null {
  const [, host, pid, started] = TEMPORARY.exec(name) ?? []
  if (host === undefined) return null
  return { host, pid: Number(pid), started: started === undefined ? null : Number(started) }
}

/** Calls `write` with a temporary name and renames the result to `path`, or to the path that it returns. */
export function writeRenamed(path: string, write: (fresh: string) => string | undefined): string {
  const fresh = temporaryName(path)
  try {
    const target = write(fresh) ?? path
    renameSync(fresh, target)
    return target
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    throw error
  }
}

export function writeWhole(path: string, content: string | Uint8Array): void {
  writeRenamed(path, (fresh) => {
    writeFileSync(fresh, content)
  })
}

function hostKey(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')
    return sha256(boot + readlinkSync('/proc/self/ns/pid')).slice(0, 12)
  } catch {
    return sha256(hostname()).slice(0, 12)
  }
}

/** Removes a folder. It is renamed first, so that other processes find it complete or not at all. */
export function removeFolder(folder: string): void {
  const aside = temporaryName(folder)
  renameSync(folder, aside)
  rmSync(aside, { recursive: true, force: true })
}

/**
 * Creates a folder and the missing ones above it, since Node's `mkdirSync` never ends in a file system such as /proc.
 * Returns the first folder that was created.
 */
export function makeFolder(path: string): string | undefined {
  const missing: string[] = []
  for (let at = resolve(path); !isFolder(at); at = dirname(at)) {
    if (dirname(at) === at)
      throw new UserError(`cannot be created: there is no drive or share ${at}; name another folder`, path)
    missing.push(at)
  }
  return missing.reverse().filter((folder) => makeOne(folder, path))[0]
}

function makeOne(folder: string, wanted: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && isFolder(folder)) return false
    // A file stands above the wanted folder: the error of the whole path says so.
    if (code === 'EEXIST' && folder !== resolve(wanted)) mkdirSync(wanted)
    if (code === 'ENOENT' && isFolder(dirname(folder)))
      throw new UserError(
        `cannot be created: ${dirname(folder)} is in a file system in which no folder can be created; name another folder`,
        wanted,
      )
    throw error
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false
    throw error
  }
}

/** Makes a temporary folder that only this user can read, and removes those that killed processes left. */
export function openScratch(): { readonly folder: string; remove(): void } {
  for (const name of readdirSync(tmpdir())) {
    const writer = name.startsWith('touchstone.') ? writerOf(name) : null
    if (writer?.host === HOST && !isAlive(writer.pid, writer.started)) removeQuietly(join(tmpdir(), name))
  }
  const folder = temporaryName(join(tmpdir(), 'touchstone'))
  mkdirSync(folder, { mode: 0o700 })
  return { folder, remove: () => removeQuietly(folder) }
}

function removeQuietly(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {}
}

const REFUSED: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space',
  EDQUOT: 'the quota of the disk is used up; free some space',
  EFBIG: 'the file grew beyond the limit of the file system or of `ulimit -f`; raise it',
  EROFS: 'the disk is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  EIO: 'the disk failed to read or write',
}

const MISNAMED: Readonly<Record<string, string>> = {
  ENOTDIR: 'a part of this path is a file, not a folder',
  EEXIST: 'a file or folder of this name exists',
  EISDIR: 'is a folder, not a file',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links form a circle',
}

/** Error of a disk as a UserError with a remedy; undefined for any other error. */
export function diskError(error: unknown): UserError | undefined {
  const { code, path, message } = (error ?? {}) as NodeJS.ErrnoException
  if (code === undefined) return undefined
  const reason = REFUSED[code] && `${REFUSED[code]}, then run the same command again: nothing is lost`
  const reasonText = reason ?? MISNAMED[code]
  if (reasonText === undefined) return undefined
  const file = path ?? /'([^']+)'/.exec(message)?.[1]
  return new UserError(reasonText, file)
}
