import type { Json } from '../../types.ts'

/** A document as a reader takes it from a file. `text` is Markdown, so that headings of every format are alike. */
export interface FileDocument {
  /** Part of the file, as a row of a table; undefined for the whole file. */
  readonly part?: string
  /** '' if the file has no title of its own. */
  readonly title: string
  readonly text: string
  readonly metadata: Readonly<Record<string, Json>>
}

/** Reads one kind of file. Throws an `Unreadable` for a file that holds no document. */
export interface FileReader {
  readonly name: string
  /** Part of the key of a stored result; raise it when the result changes. */
  readonly version: number
  read(bytes: Uint8Array, file: string): Promise<readonly FileDocument[]> | readonly FileDocument[]
}

/** A file that holds no document, with the reason as it is counted: 'encrypted', 'scanned pages without text'. */
export class Unreadable extends Error {}

/** Gives a reader its type. */
export function defineReader(reader: FileReader): FileReader {
  return reader
}
