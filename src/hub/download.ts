import { createHash, type Hash } from 'node:crypto'
import {
  closeSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { UserError } from '../errors.ts'
import type { Clock } from '../models/http/clock.ts'
import { Broken } from '../models/http/server.ts'
import { throwIfStopping } from '../stopping.ts'
import { makeFolder } from '../store/make-folder.ts'
import { isAlive } from '../store/processes.ts'
import { HOST, temporaryName, writerOf } from '../store/write.ts'
import type { HubClient, RemoteFile, Repository } from './client.ts'

/** File of a repository, and where it goes. */
export interface Wanted {
  readonly repo: Repository
  readonly commit: string
  readonly file: RemoteFile
  /** Absolute path. */
  readonly target: string
}

interface DownloadOptions {
  readonly client: HubClient
  readonly clock: Clock
  /** Called with the bytes of all files that are there, as they grow. */
  readonly progress: (bytes: number) => void
  /** Called once where another process downloads the file. */
  readonly waiting: (pid: number) => void
}

/** Milliseconds between two looks at another process's download. */
const LOOK = 250
const PIECE = 2 ** 20
const POINTER = 'version https://git-lfs.github.com/spec/'

/** True if the file has been downloaded: it gets its name only once its hash is right. */
export function isThere({ file, target }: Pick<Wanted, 'file' | 'target'>): boolean {
  const found = statSync(target, { throwIfNoEntry: false })
  return found?.isFile() === true && found.size === file.size
}

/** SHA-256 of a downloaded file. Throws a UserError if its content is not that of the repository. */
export function hashDownloaded({ file, target }: Pick<Wanted, 'file' | 'target'>): string {
  const own = newHash(file)
  const sha256 = file.sha256 === undefined ? createHash('sha256') : undefined
  const handle = openSync(target, 'r')
  try {
    feed(handle, file.size, sha256 ? [own, sha256] : [own])
  } finally {
    closeSync(handle)
  }
  const found = own.digest('hex')
  if (found !== (file.sha256 ?? file.blob))
    throw new UserError({
      file: target,
      message: 'was altered since it was downloaded; delete it, and it is downloaded again',
    })
  return sha256?.digest('hex') ?? found
}

/** Refuses a download that the disk has no space for. */
export function requireSpace(folder: string, bytes: number): void {
  makeFolder(folder)
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize < bytes)
    throw new UserError({
      file: folder,
      message: `has ${megabytes(bavail * bsize)} of free space, and the download needs ${megabytes(bytes)}; free some, or name another folder by TOUCHSTONE_CACHE`,
    })
}

/** `23.7 MB`, `312 kB`. */
export function megabytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/**
 * Downloads one file into a part next to its target, checks its hash and renames it. A part that a dead process left is
 * continued by a range request. Where a living one writes a part, its end is waited for.
 */
export async function download(wanted: Wanted, options: DownloadOptions): Promise<void> {
  const { target } = wanted
  makeFolder(dirname(target))
  const part = await claim(wanted, options)
  if (part === undefined) return
  try {
    const isFresh = statSync(part).size === 0
    let wrong = await fill(part, wanted, options)
    if (wrong !== undefined && !isFresh) {
      // A file that another process left may be damaged: start again.
      truncateSync(part, 0)
      wrong = await fill(part, wanted, options)
    }
    if (wrong !== undefined) {
      rmSync(part)
      throw new UserError({ file: target, message: wrong })
    }
    renameSync(part, target)
  } finally {
    written.delete(part)
  }
}

/** Own part of the file, with what a dead process had; undefined where another process has finished the file. */
async function claim(wanted: Wanted, { clock, waiting }: DownloadOptions): Promise<string | undefined> {
  let told = false
  for (;;) {
    throwIfStopping()
    if (isThere(wanted)) return undefined
    const parts = partsOf(wanted.target)
    const living = parts.find(({ alive }) => alive)
    if (living === undefined) {
      const own = temporaryName(wanted.target)
      written.add(own)
      const [largest] = parts.sort((a, b) => b.size - a.size)
      if (largest === undefined || !taken(largest.path, own)) writeFileSync(own, '')
      // If two begin at once, the one whose part comes first by name goes on.
      const living = partsOf(wanted.target).filter(({ alive }) => alive)
      if (living.every(({ path }) => path >= own)) return own
      written.delete(own)
      rmSync(own)
    } else if (!told) {
      told = true
      waiting(living.pid)
    }
    await clock.wait(LOOK)
  }
}

function taken(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch {
    return false
  }
}

/** Parts that this process writes at present. */
const written = new Set<string>()

function partsOf(target: string) {
  const name = basename(target)
  return readdirSync(dirname(target)).flatMap((file) => {
    const writer = file.startsWith(`${name}.`) ? writerOf(file) : null
    const path = join(dirname(target), file)
    const found = writer && statSync(path, { throwIfNoEntry: false })
    if (!writer || !found) return []
    const { host, pid, started } = writer
    // Processes of another machine cannot be examined: each machine downloads its own part.
    if (host !== HOST) return []
    const alive = isAlive(pid, started) && (pid !== process.pid || written.has(path))
    return [{ path, pid, size: found.size, alive }]
  })
}

/** Brings a part to its full length; a message if its content is then wrong. */
async function fill(
  part: string,
  { repo, commit, file }: Wanted,
  { client, progress }: DownloadOptions,
): Promise<string | undefined> {
  const handle = openSync(part, 'r+')
  try {
    let length = Math.min(statSync(part).size, file.size)
    truncateSync(part, length)
    let digest = hashSoFar(handle, length, file)
    progress(length)
    const write = (piece: Uint8Array) => {
      writeSync(handle, piece, 0, piece.length, length)
      digest.update(piece)
      length += piece.length
      progress(length)
    }
    if (length < file.size || file.size === 0)
      await client.read(repo, commit, file.path, {
        from: () => length,
        async take(body, start) {
          if (start !== length) {
            length = start === 0 ? 0 : length
            digest = hashSoFar(handle, length, file)
          }
          let skip = length - start
          for await (const piece of body) {
            throwIfStopping()
            const fresh = piece.subarray(Math.min(skip, piece.length))
            skip -= piece.length - fresh.length
            if (length + fresh.length > file.size) throw tooLong(file)
            write(fresh)
          }
          if (length < file.size && isPointer(handle, length)) throw new UserError(pointerIn(file, client))
          if (length < file.size) throw new Broken(`ended after ${length} of ${file.size} bytes`)
        },
      })
    const found = digest.digest('hex')
    const expected = file.sha256 ?? file.blob
    if (found === expected) return undefined
    return `${client.endpoint} sends another content than the repository says (${file.sha256 ? 'sha256' : 'git blob'} ${found.slice(0, 12)}, not ${expected.slice(0, 12)}); try again, or unset HF_ENDPOINT if it names a mirror`
  } finally {
    closeSync(handle)
  }
}

function tooLong({ path, size }: RemoteFile): UserError {
  return new UserError(`${path}: the hub sends more than the ${size} bytes of this file; try again`)
}

/** Hash of the first bytes of a part. */
function hashSoFar(handle: number, length: number, file: RemoteFile): Hash {
  const hash = newHash(file)
  feed(handle, length, [hash])
  return hash
}

/** A hash of the repository's kind: SHA-256, or git's SHA-1 of a blob. */
function newHash({ size, sha256 }: RemoteFile): Hash {
  return sha256 === undefined ? createHash('sha1').update(`blob ${size}\0`) : createHash('sha256')
}

/** Updates hashes with the first bytes of a file. */
function feed(handle: number, length: number, hashes: readonly Hash[]): void {
  const buffer = Buffer.alloc(PIECE)
  for (let at = 0; at < length; ) {
    const count = readSync(handle, buffer, 0, Math.min(PIECE, length - at), at)
    if (count === 0) break
    for (const hash of hashes) hash.update(buffer.subarray(0, count))
    at += count
  }
}

function isPointer(handle: number, length: number): boolean {
  const buffer = Buffer.alloc(Math.min(length, POINTER.length))
  readSync(handle, buffer, 0, buffer.length, 0)
  return buffer.toString('latin1') === POINTER
}

function pointerIn({ path }: RemoteFile, { endpoint }: HubClient): string {
  return `${path}: ${endpoint} sends a pointer of large file storage in place of the file; unset HF_ENDPOINT if it names a mirror`
}
