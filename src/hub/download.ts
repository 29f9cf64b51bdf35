import { createHash } from 'node:crypto'
import {
  closeSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { UserError } from '../errors.ts'
import { Broken } from '../models/http/server.ts'
import { throwIfStopping } from '../stopping.ts'
import { isAlive } from '../store/processes.ts'
import { HOST, makeFolder, temporaryName, writerOf } from '../store/write.ts'
import type { HubClient, RemoteFile, Repository } from './client.ts'

export interface Wanted {
  readonly repo: Repository
  readonly commit: string
  readonly file: RemoteFile
  /** Absolute path. */
  readonly target: string
}

/** True if the file has been downloaded: it gets its name only once its hash is right. */
export function isThere({ file, target }: Wanted): boolean {
  return sizeOf(target) === file.size
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? -1

/**
 * SHA-256 of a downloaded file; of a large one that of the repository, unless `readAll`. Throws a UserError for other content than the
 * repository's.
 */
export function sha256Of({ file, target }: Wanted, readAll: boolean): string {
  if (file.sha256 !== undefined && !readAll) return file.sha256
  const { isRight, sha256 } = hashesOf(target, file)
  if (isRight) return sha256
  throw new UserError('was altered; delete it, and it is downloaded again', target)
}

/** `23.7 MB`, `312 kB`. */
export function megabytes(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

/**
 * Downloads into a part next to the target, checks its hash and renames it. A part of a dead process is continued; if the hash is then
 * wrong, the file is downloaded once more.
 */
export async function download(wanted: Wanted, client: HubClient, progress: (bytes: number) => void) {
  const { target, file } = wanted
  makeFolder(dirname(target))
  const part = partFor(target)
  for (let attempt = 0; attempt < 2; attempt++) {
    await fill(part, wanted, client, progress)
    if (hashesOf(part, file).isRight) return renameSync(part, target)
    truncateSync(part)
  }
  rmSync(part)
  throw new UserError(`${client.endpoint} sends another ${file.path} than the repository says; try again`)
}

/** Part of this process: the longest that a dead process of this machine left, or an empty one. */
function partFor(target: string): string {
  const part = temporaryName(target)
  const left = readdirSync(dirname(target)).flatMap((name) => {
    const writer = name.startsWith(`${basename(target)}.`) && writerOf(name)
    const isLeft = writer && writer.host === HOST && !isAlive(writer.pid, writer.started)
    return isLeft ? [join(dirname(target), name)] : []
  })
  const [longest] = left.sort((a, b) => sizeOf(b) - sizeOf(a))
  try {
    renameSync(longest, part)
  } catch {
    // None is left, or another process was faster.
    writeFileSync(part, '')
  }
  return part
}

async function fill(
  part: string,
  { repo, commit, file: { path, size } }: Wanted,
  client: HubClient,
  progress: (bytes: number) => void,
): Promise<void> {
  let length = Math.min(sizeOf(part), size)
  truncateSync(part, length)
  progress(length)
  if (length === size) return
  const handle = openSync(part, 'r+')
  const take = async (body: AsyncIterable<Uint8Array>, start: number, alive: () => void) => {
    length = start
    for await (const piece of body) {
      throwIfStopping()
      alive()
      if (length + piece.length > size)
        throw new UserError(`${path}: the hub sends more than the ${size} bytes of this file; try again`)
      writeSync(handle, piece, 0, piece.length, length)
      length += piece.length
      progress(length)
    }
    if (length < size) throw new Broken(`ended after ${length} of ${size} bytes`)
  }
  await client.read(repo, commit, path, () => length, take).finally(() => closeSync(handle))
}

/** Hashes a file. `isRight`: it has the repository's SHA-256, or git's SHA-1 of a blob. */
function hashesOf(path: string, { size, sha256, blob }: RemoteFile) {
  const hashes = [createHash('sha256'), createHash('sha1').update(`blob ${size}\0`)]
  const buffer = Buffer.alloc(2 ** 20)
  const handle = openSync(path, 'r')
  try {
    for (let count = readSync(handle, buffer); count > 0; count = readSync(handle, buffer))
      for (const hash of hashes) hash.update(buffer.subarray(0, count))
  } finally {
    closeSync(handle)
  }
  const [whole, git] = hashes.map((hash) => hash.digest('hex'))
  return { sha256: whole, isRight: sha256 === undefined ? git === blob : whole === sha256 }
}
