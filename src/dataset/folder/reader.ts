import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { plainLines } from '../../text/characters.ts'
import type { Json } from '../../types.ts'

/** A document as a reader takes it from a file. `text` is Markdown, so that headings of every format are alike. */
export interface FileDocument {
  /** Part of the file, as a row of a table; undefined for the whole file. */
  readonly part?: string
  /** '' if the file has no title of its own. */
  readonly title: string
  readonly text: string
  readonly metadata: Readonly<Record<string, Json>>
  readonly remarks?: readonly Remark[]
}

/** Remark on how a file is read, or a number of parts that the text lacks. */
type Remark = string | Unread

/** Parts of a file that its reader does not read, as 6 `of` 7 `pages without text`. */
export interface Unread {
  readonly what: string
  readonly count: number
  readonly of?: number
}

/** Field `remarks` without remarks that do not apply and counts of 0; absent if none is left. */
export function remarksOf(
  ...remarks: readonly (Remark | false | undefined)[]
): Pick<FileDocument, 'remarks'> {
  const all = remarks.filter((remark) => remark && (typeof remark === 'string' || remark.count > 0))
  return all.length > 0 ? { remarks: all as Remark[] } : {}
}

/** Reads one kind of file. Throws an `Unreadable` for a file that holds no document. */
export interface FileReader {
  readonly name: string
  /** Part of the key of a stored result; raise it when the result changes. */
  readonly version: number
  readonly isText?: true
  read(bytes: Uint8Array, file: string): Promise<readonly FileDocument[]> | readonly FileDocument[]
}

/** A file that holds no document, with the reason as it is counted: 'encrypted', 'scanned pages without text'. */
export class Unreadable extends Error {}

/** Bytes of a file; an `Unreadable` if the disk does not give them. */
export function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    throw new Unreadable(REFUSALS[code] ?? `file that the disk does not give (${code})`)
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  EACCES: 'file that may not be read',
  EPERM: 'file that may not be read',
  ENOENT: 'file that is gone since the folder was searched',
}

/** Least confidence of a guessed encoding, in percent. */
const SURE = 30

export async function readWith(
  reader: FileReader,
  bytes: Uint8Array,
  file: string,
): Promise<readonly FileDocument[]> {
  const documents = await reader.read(bytes, file)
  const { guessed } = reader.isText && !isUtf8(bytes) ? decode(bytes) : {}
  if (guessed === undefined) return documents
  return documents.map((document, at) =>
    at > 0 ? document : { ...document, remarks: [...(document.remarks ?? []), inWords(guessed)] },
  )
}

export function decodeText(bytes: Uint8Array): string {
  return plainLines(decode(bytes).text)
}

export function inWords(guessed: string): string {
  return `read as ${guessed}, the likeliest encoding; save as UTF-8 to be sure`
}

interface Decoded {
  readonly text: string
  readonly guessed?: string
}

/**
 * Text of bytes: by byte order mark, as UTF-8, in the declared encoding, else as it looks. Throws an Unreadable for binary data.
 */
export function decode(bytes: Uint8Array, declared?: string): Decoded {
  const marked = MARKS.find(([, ...mark]) => mark.every((byte, at) => bytes[at] === byte))
  if (marked) return { text: new TextDecoder(marked[0]).decode(bytes) }
  if (bytes.includes(0)) throw new Unreadable('binary file with the name of a text')
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    const stated = declared === undefined ? undefined : decoderOf(declared)
    if (stated && !/^utf-/.test(stated.encoding)) return { text: decodeWith(stated, bytes) }
    if (isBrokenUtf8(bytes)) throw new Unreadable('text in UTF-8 with broken characters')
    const { analyse } = createRequire(import.meta.url)('chardet') as typeof import('chardet')
    const [best] = analyse(bytes)
    if (!best || best.confidence < SURE) throw new Unreadable('text in an unknown encoding')
    const decoder = decoderOf(best.name)
    if (!decoder) throw new Unreadable(`text in the encoding ${best.name}`)
    return { text: decodeWith(decoder, bytes), guessed: best.name }
  }
}

function decoderOf(name: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(name)
  } catch {
    return undefined
  }
}

/** Characters of the bytes 0x80 to 0x9F in windows-1252, which some versions of Node read as control characters. */
const C1 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178'

function decodeWith(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string {
  if (decoder.encoding !== 'windows-1252') return decoder.decode(bytes)
  return Buffer.from(bytes)
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (character) => C1[character.charCodeAt(0) - 0x80])
}

export function charsetOf(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, 4096)).toString('latin1')
  return /<meta\b[^>]*\bcharset\s*=\s*["']?([\w:.-]+)|<\?xml\b[^>]*\bencoding\s*=\s*["']([\w:.-]+)/i
    .exec(head)
    ?.slice(1)
    .find(Boolean)
}

/** True if more characters of several bytes are valid UTF-8 than broken: few texts of other encodings hold any. */
function isBrokenUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes)
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0
  return count(/[^\0-\x7f\ufffd]/gu) > count(/\ufffd/gu)
}

const MARKS: readonly (readonly [name: string, ...bytes: number[]])[] = [
  ['utf-8', 0xef, 0xbb, 0xbf],
  ['utf-16le', 0xff, 0xfe],
  ['utf-16be', 0xfe, 0xff],
]
