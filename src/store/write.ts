import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { sha256 } from './hash.ts'
import { startOfThis } from './processes.ts'

/**
 * Every file is written under a temporary name and renamed, so that it exists completely or not at all. A temporary name is
 * `<name>.<host>-<process>.<start>-<random>.tmp`: no other process, here or on another machine, uses the same one.
 */

/**
 * Host that our process numbers belong to: a boot and a process namespace, not a host name, since containers and copied
 * machines share names. Falls back to the host name.
 */
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
  /** Start time; null if unknown. */
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
