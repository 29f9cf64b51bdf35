import { isUtf8 } from 'node:buffer'
import { readFileSync, type Stats, statSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { UserError } from '../errors.ts'
import { plainLines } from '../text/characters.ts'
import { sha256File } from './hash.ts'

/**
 * Files named by users. Each is checked before reading: a pipe or a device may never end, and a missing file, a folder or an
 * unreadable file is the user's error. `what` describes the expected content, such as `a run`.
 */

export function requireFile(path: string, what?: string): void {
  const asked = what === undefined ? '' : ` (${what})`
  const stats = statsOf(path, asked)
  if (!stats) throw new UserError({ file: path, message: `there is no such file${asked}` })
  if (stats.isDirectory()) throw new UserError({ file: path, message: `is a folder, not a file${asked}` })
  if (!stats.isFile())
    throw new UserError({ file: path, message: `is a pipe or a device, not a plain file${asked}` })
}

export function readBytes(path: string, what?: string): Buffer {
  return opened(path, what, () => readFileSync(path))
}

export function readText(path: string, what?: string): string {
  return decoded(path, readBytes(path, what))
}

/** Text of a file's bytes. Throws a UserError with the first line that is not UTF-8. */
export function decoded(path: string, bytes: Buffer): string {
  try {
    return plainLines(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (Object.hasOwn(REASONS, code)) throw unreadable(path, error, '')
    throw new UserError({ file: path, ...placeOfWrong(bytes), message: notUtf8(bytes) })
  }
}

/** Line of the first bytes that are not UTF-8; nothing for a file of another kind, which is wrong as a whole. */
function placeOfWrong(bytes: Buffer): { readonly line?: number } {
  if (notUtf8(bytes, '') !== '') return {}
  const lines = bytes.toString('latin1').split('\n')
  return { line: 1 + lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1'))) }
}

/** Beginnings of files that are no text. */
const BEGINNINGS: readonly (readonly [beginning: string, message: string])[] = [
  ['fffe', 'is UTF-16; save it as UTF-8'],
  ['feff', 'is UTF-16; save it as UTF-8'],
  ['1f8b', 'is a gzip file; give its name the ending .gz'],
  ['28b52ffd', 'is compressed with Zstandard; unpack it'],
  ['425a68', 'is compressed with bzip2; unpack it'],
  ['fd377a58', 'is compressed with xz; unpack it'],
  ['504b0304', 'is a zip file, or a document of Office; unpack it, or save it as text'],
  ['50415231', 'is a Parquet file; give its name the ending .parquet'],
]

/** Message about the bytes of a file that is not UTF-8: their kind, if its beginning tells, and what to do. */
export function notUtf8(bytes: Uint8Array, otherwise = 'is not UTF-8; save it as UTF-8'): string {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex')
  return BEGINNINGS.find(([beginning]) => start.startsWith(beginning))?.[1] ?? otherwise
}

/** Bytes that a compressed text may unpack to. */
const MOST_UNPACKED = 2 ** 29

/** Text of a UTF-8 file, plain or gzip, without its byte order mark. */
export function readPlainOrGzip(path: string, what?: string): string {
  return decoded(path, readUnpacked(path, what))
}

/** Bytes of a file, unpacked if it is gzip, whatever its name. */
export function readUnpacked(path: string, what?: string): Buffer {
  const bytes = readBytes(path, what)
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? unpacked(path, bytes) : bytes
}

function unpacked(path: string, bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_UNPACKED })
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new UserError({
      file: path,
      message: isLarge
        ? `unpacks to more than ${MOST_UNPACKED / 2 ** 20} MB; unpack it yourself`
        : 'is no whole gzip file; is it cut off?',
    })
  }
}

export function hashFile(path: string, what?: string): string {
  return opened(path, what, () => sha256File(path))
}

function opened<T>(path: string, what: string | undefined, read: () => T): T {
  requireFile(path, what)
  try {
    return read()
  } catch (error) {
    throw unreadable(path, error, what === undefined ? '' : ` (${what})`)
  }
}

/** Undefined if nothing is there. Throws a UserError if the path cannot be accessed. */
function statsOf(path: string, asked: string): Stats | undefined {
  try {
    return statSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw unreadable(path, error, asked)
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its links form a circle',
  ENAMETOOLONG: 'its name is too long',
  ERR_INVALID_ARG_VALUE: 'its name holds a NUL character',
  ERR_FS_FILE_TOO_LARGE: 'it is too large to be read whole',
  ERR_STRING_TOO_LONG: 'it is too large to be read whole',
}

function unreadable(path: string, error: unknown, asked: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  const reason = Object.hasOwn(REASONS, code) ? REASONS[code] : code
  return reason === '' ? error : new UserError({ file: path, message: `cannot be read: ${reason}${asked}` })
}
