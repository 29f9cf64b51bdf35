import { isUtf8 } from 'node:buffer'
import { existsSync, readFileSync, type Stats, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { z } from 'zod'
import { type Diagnostic, fewOfEachKind, UserError } from '../errors.ts'
import { plainLines } from '../text/characters.ts'
import { parseJson } from '../text/json.ts'
import { fieldComplaint } from '../text/schema-words.ts'
import { sha256, sha256File } from './hash.ts'

/**
 * Files named by users. Each is checked before reading, since a pipe or a device may never end. `subject` describes the
 * expected content, such as `a run`.
 */

export function requireFile(path: string, subject?: string): void {
  const suffix = subject === undefined ? '' : ` (${subject})`
  const stats = statsOf(path, suffix)
  if (!stats) throw new UserError(`there is no such file${suffix}`, path)
  if (stats.isDirectory()) throw new UserError(`is a folder, not a file${suffix}`, path)
  if (!stats.isFile()) throw new UserError(`is a pipe or a device, not a plain file${suffix}`, path)
}

export function readBytes(path: string, subject?: string): Buffer {
  return opened(path, subject, () => readFileSync(path))
}

export function readText(path: string, subject?: string): string {
  return decoded(path, readBytes(path, subject))
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

function placeOfWrong(bytes: Buffer): { readonly line?: number } {
  if (notUtf8(bytes, '') !== '') return {}
  const lines = bytes.toString('latin1').split('\n')
  return { line: 1 + lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1'))) }
}

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

/** Message about bytes that are not UTF-8: their kind, and what to do. */
export function notUtf8(bytes: Uint8Array, otherwise = 'is not UTF-8; save it as UTF-8'): string {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex')
  return BEGINNINGS.find(([beginning]) => start.startsWith(beginning))?.[1] ?? otherwise
}

const MOST_UNPACKED = 2 ** 29

export function readPlainOrGzip(path: string, subject?: string): string {
  return decoded(path, readUnpacked(path, subject))
}

export function readUnpacked(path: string, subject?: string): Buffer {
  const bytes = readBytes(path, subject)
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? unpacked(path, bytes) : bytes
}

function unpacked(path: string, bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_UNPACKED })
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new UserError(
      isLarge
        ? `unpacks to more than ${MOST_UNPACKED / 2 ** 20} MB; unpack it yourself`
        : 'is no whole gzip file; is it cut off?',
      path,
    )
  }
}

export function hashFile(path: string, subject?: string): string {
  return opened(path, subject, () => sha256File(path))
}

function opened<T>(path: string, subject: string | undefined, read: () => T): T {
  requireFile(path, subject)
  try {
    return read()
  } catch (error) {
    throw unreadable(path, error, subject === undefined ? '' : ` (${subject})`)
  }
}

/** Undefined if nothing is there. Throws a UserError if the path cannot be accessed. */
function statsOf(path: string, note: string): Stats | undefined {
  try {
    return statSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw unreadable(path, error, note)
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

function unreadable(path: string, error: unknown, note: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  const reason = Object.hasOwn(REASONS, code) ? REASONS[code] : code
  return reason === '' ? error : new UserError(`cannot be read: ${reason}${note}`, path)
}

/** Name of a file without its extension, and without `.gz`. */
export function stemOf(path: string): string {
  return basename(path)
    .replace(/\.gz$/, '')
    .replace(/\.[^.]+$/, '')
}

/** Bytes up to which a file is compared with its `.gz`. */
const MOST_COMPARED = 2 ** 28

/** Finds the one file in `folder` with one of these names, plain or `.gz`. Throws a UserError if there are two. */
export function findFile(folder: string, ...names: readonly string[]): string | undefined {
  const there = names.flatMap((name) => [name, `${name}.gz`]).filter((name) => existsSync(join(folder, name)))
  return oneOf(folder, there)
}

/**
 * Chooses the file of a role in a dataset. A `.gz` with the content of the plain file is no second one. Throws a
 * UserError if there are two.
 */
export function oneOf(folder: string, files: readonly string[]): string | undefined {
  const [first, ...others] = files.filter(
    (file) => !(files.includes(withoutGz(file)) && file.endsWith('.gz') && isCopy(folder, file)),
  )
  if (others.length > 0)
    throw new UserError(
      `has the same role as ${first}; move one of them out of the folder`,
      join(folder, others[0]),
    )
  return first
}

function withoutGz(file: string): string {
  return file.replace(/\.gz$/, '')
}

/** False if the plain file is too large to compare. */
function isCopy(folder: string, file: string): boolean {
  const [packed, plain] = [join(folder, file), join(folder, withoutGz(file))]
  const { size } = statSync(plain)
  if (!statSync(plain).isFile() || !statSync(packed).isFile() || size > MOST_COMPARED) return false
  try {
    const content = gunzipSync(readFileSync(packed), { maxOutputLength: Math.max(1, size) })
    return content.length === size && sha256(content) === sha256File(plain)
  } catch {
    return false
  }
}

/**
 * Calls `take` for the value of every line that is not blank. Throws a UserError with the first few of each kind of
 * error.
 */
export function eachJsonLine(
  file: string,
  text: string,
  take: (value: unknown, wrong: (message: string) => void, line: number) => void,
): void {
  const diagnostics: Diagnostic[] = []
  for (const [index, written] of text.split('\n').entries()) {
    if (written.trim() === '') continue
    const line = index + 1
    const wrong = (message: string) => void diagnostics.push({ file, line, message })
    const { value, diagnostic } = parseJson(written)
    if (diagnostic) wrong(diagnostic.message)
    else take(value, wrong, line)
  }
  if (diagnostics.length > 0) throw new UserError(fewOfEachKind(diagnostics))
}

/** A header, undefined in an empty file, and items. Throws a UserError with every wrong line. */
export function readHeadedLines<H, T>(
  file: string,
  text: string,
  headerSchema: z.ZodType<H>,
  itemSchema: z.ZodType<T>,
): { readonly header?: H; readonly items: readonly { readonly value: T; readonly line: number }[] } {
  const diagnostics: Diagnostic[] = []
  let header: H | undefined
  const items: { value: T; line: number }[] = []
  for (const [index, written] of text.split(/\r?\n/).entries()) {
    if (written.trim() === '') continue
    const line = index + 1
    const read = <V>(schema: z.ZodType<V>): V | undefined => {
      let value: unknown
      try {
        value = JSON.parse(written)
      } catch {
        diagnostics.push({ file, line, message: 'is no JSON object on a line of its own' })
        return undefined
      }
      const { data, error } = schema.safeParse(value)
      for (const issue of error?.issues ?? [])
        diagnostics.push({ file, line, message: fieldComplaint(issue, value) })
      return data
    }
    if (header === undefined) {
      header = read(headerSchema)
      if (header === undefined) break
      continue
    }
    const value = read(itemSchema)
    if (value !== undefined) items.push({ value, line })
  }
  if (diagnostics.length > 0) throw new UserError(diagnostics)
  return { ...(header !== undefined && { header }), items }
}
