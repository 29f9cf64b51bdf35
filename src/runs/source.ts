import { decoded, readUnpacked } from '../store/input.ts'
import type { RunSource } from './types.ts'

/** Line of a text with its fields. */
export interface TextRow {
  readonly text: string
  readonly fields: readonly string[]
  /** From 1. */
  readonly line: number
}

/** Opens a run or qrels, plain or gzip. Its text is decoded when a format reads it. */
export function openSource(path: string, bytes = readUnpacked(path)): RunSource {
  const head = bytes.toString('utf8', 0, 65_536).replace(/^\ufeff/, '')
  return {
    path,
    head,
    isParquet: head.startsWith('PAR1') && bytes.includes(0),
    isJson: /^\s*(?:\{\s*(?:"|\}|$)|\[\s*\{\s*")/.test(head),
    text: () => decoded(path, bytes),
  }
}

/** Fields between white space as C knows it: a no-break space belongs to an id. */
export const spaced = (text: string): string[] => text.match(/[^ \t\v\f\r]+/g) ?? []

/** Fields between tabs. */
export const tabbed = (text: string): string[] => text.split('\t').map((field) => field.trim())

/** Rows of the lines that are not blank, with their numbers. */
export function rowsOf({ text }: RunSource, fieldsOf: (text: string) => string[]): TextRow[] {
  return text()
    .split('\n')
    .map((content, at) => ({ text: content, fields: fieldsOf(content), line: at + 1 }))
    .filter(({ fields }) => fields.some((field) => field !== ''))
}
