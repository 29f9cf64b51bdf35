import { readFileSync } from 'node:fs'
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

/** Remark on how a file is read ('with hidden slides, read as the others'), or a number of parts that the text lacks. */
export type Remark = string | Unread

/** Parts of a file that its reader does not read, as 6 `of` 7 `pages without text`. */
export interface Unread {
  readonly what: string
  readonly count: number
  readonly of?: number
}

/** Field `remarks` of a document, without remarks that do not apply and counts of 0; absent if none is left. */
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
  /** True if the file's bytes are text. */
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

/** Gives a reader its type. */
export function defineReader(reader: FileReader): FileReader {
  return reader
}
