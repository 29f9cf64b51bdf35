import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { sha256 } from './hash.ts'

/**
 * Everything is written under a temporary name and renamed, so that it is there whole or not at all. A temporary name is
 * `<name>.<host>-<process>-<random>.tmp`: no other process, here or on another machine, writes under the same one.
 */

/**
 * The host whose process numbers ours are. A boot and a namespace of processes, not a host's name: containers and copied
 * machines share names. Where a system tells neither, its name has to do.
 */
export const HOST = hostKey()

const TEMPORARY = /\.([0-9a-f]{12})-(\d+)-[0-9a-f]{12}\.tmp$/

export function temporaryName(path: string): string {
  return `${path}.${HOST}-${process.pid}-${randomBytes(6).toString('hex')}.tmp`
}

/** The process that writes under a temporary name; null for any other name. */
export function writerOf(name: string): { readonly host: string; readonly pid: number } | null {
  const [, host, pid] = TEMPORARY.exec(name) ?? []
  return host === undefined ? null : { host, pid: Number(pid) }
}

/** Calls `write` with a temporary name and renames what it wrote to `path`, or to the path that it returns. */
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

/** Writes a file whole or not at all. */
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
