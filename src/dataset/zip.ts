import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { unzipSync } from 'fflate'
import { UserError } from '../errors.ts'
import { requireFile } from '../store/input.ts'
import { makeFolder, openScratch } from '../store/write.ts'

/** Limits of a zip file, and of the files, bytes and ratio that it unpacks to. */
const LIMITS = { bytes: 2 ** 30, files: 20_000, unpacked: 4 * 2 ** 30, ratio: 200 }
/** A small file may compress further than `ratio`. */
const SMALL = 16 * 2 ** 20
/** Bytes that are unpacked at once. */
const BATCH = 2 ** 28
const MISNAMED = ['EEXIST', 'EISDIR', 'ENAMETOOLONG', 'ENOTDIR', 'EILSEQ', 'EINVAL']

export function isZip(path: string): boolean {
  return /\.zip$/i.test(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/**
 * Unpacks a zip into a folder for the reader's time. Throws a UserError for a damaged file, one that unpacks to far more than its size,
 * and one with paths that lead out of the folder.
 */
export function unpackZip(path: string): ReturnType<typeof openScratch> {
  requireFile(path)
  const { size } = statSync(path)
  const wrong = (message: string) => new UserError(message, path)
  if (size > LIMITS.bytes)
    throw wrong(`is a zip file of ${inMegabytes(size)}; unpack it and give the path of the folder`)
  const bytes = readFileSync(path)
  const batches = batchesOf(path, bytes)
  const scratch = openScratch()
  try {
    for (let batch = 0; batch <= Math.max(...batches.values()); batch++) {
      const files = attempt(path, () => unzip(bytes, (name) => batches.get(name) === batch))
      for (const name of Object.keys(files)) {
        const file = join(scratch.folder, name)
        try {
          makeFolder(dirname(file))
          writeFileSync(file, files[name])
        } catch (error) {
          const { code = '' } = error as NodeJS.ErrnoException
          if (!MISNAMED.includes(code)) throw error
          throw wrong(`holds a file that cannot be created here (${code}): ${JSON.stringify(name)}`)
        }
      }
    }
  } catch (error) {
    scratch.remove()
    throw error
  }
  return scratch
}

function batchesOf(path: string, bytes: Uint8Array): Map<string, number> {
  const wrong = (message: string) => new UserError(message, path)
  const batches = new Map<string, number>()
  let total = 0
  attempt(path, () =>
    unzip(bytes, (name, length) => {
      if (name.endsWith('/') || /(?:^|\/)(?:__MACOSX|\.DS_Store)/.test(name)) return false
      // biome-ignore lint/suspicious/noControlCharactersInRegex: names of files in a zip are untrusted
      if (/^[/\\]|^[a-z]:|\\|[\0-\x1f]/i.test(name) || name.split('/').includes('..'))
        throw wrong(`holds a file whose path leads out of its folder: ${JSON.stringify(name)}`)
      if (batches.has(name)) throw wrong(`holds two files called ${JSON.stringify(name)}`)
      batches.set(name, Math.floor(total / BATCH))
      total += length
      if (batches.size > LIMITS.files) throw wrong(`holds more than ${LIMITS.files} files`)
      if (total > LIMITS.unpacked || total > Math.max(SMALL, LIMITS.ratio * bytes.length))
        throw wrong(
          `is ${inMegabytes(bytes.length)} and unpacks to more than ${inMegabytes(total)}; unpack it and give the path of the folder if you trust it`,
        )
      return false
    }),
  )
  return batches
}

function attempt<T>(path: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    if (error instanceof UserError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserError(`is no readable zip file (${reason}); is it cut off?`, path)
  }
}

function inMegabytes(bytes: number): string {
  return bytes < 2 ** 20 ? `${bytes} bytes` : `${Math.round(bytes / 2 ** 20)} MB`
}

/** Signatures of an entry and of the end of a zip's directory (APPNOTE 6.3.10, section 4.3). */
const ENTRY = Buffer.from('PK\u0001\u0002')
const END = Buffer.from('PK\u0005\u0006')
const IN_ZIP64 = 0xffffffff

/**
 * Files of a zip archive by name, those that `wants` accepts by name and stated length. Throws an Error for a damaged archive
 * and for a file whose content differs from its stated CRC-32.
 */
export function unzip(
  bytes: Uint8Array,
  wants: (name: string, length: number) => boolean,
): Readonly<Record<string, Uint8Array>> {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = archive.lastIndexOf(END)
  if (end < 0) throw new Error('it has no directory')
  let entry = archive.readUInt32LE(end + 16)
  if (entry === IN_ZIP64) entry = longAt(archive, longAt(archive, end - 12) + 48)
  const stated = new Map<string, number>()
  const files = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (archive.indexOf(ENTRY, entry) !== entry) throw new Error('its directory is damaged')
      const isWanted = wants(name, originalSize)
      if (isWanted) stated.set(name, archive.readUInt32LE(entry + 16))
      entry += [28, 30, 32].reduce((length, field) => length + archive.readUInt16LE(entry + field), 46)
      return isWanted
    },
  })
  for (const [name, sum] of stated)
    if (crcOf(files[name]) !== sum) throw new Error(`${name} has not the stated checksum`)
  return files
}

/** CRC-32, which zlib writes behind what it packs. */
function crcOf(content: Uint8Array): number {
  const packed = gzipSync(content, { level: 0 })
  return packed.readUInt32LE(packed.length - 8)
}

const longAt = (bytes: Buffer, at: number) => Number(bytes.readBigUInt64LE(at))
