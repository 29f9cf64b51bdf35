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

/** Fields between white space as C knows it: a no-break space belongs to an id. A loop takes a third of a regular expression's time. */
export function spaced(text: string): string[] {
  const fields: string[] = []
  let start = -1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isSpace = code === 32 || code === 9 || (code >= 11 && code <= 13)
    if (!isSpace && start < 0) start = at
    else if (isSpace && start >= 0) {
      fields.push(text.slice(start, at))
      start = -1
    }
  }
  if (start >= 0) fields.push(text.slice(start))
  return fields
}

/** Fields between tabs. */
export const tabbed = (text: string): string[] => text.split('\t').map((field) => field.trim())

/** Rows of the lines that are not blank, with their numbers. */
export function* rowsOf(source: RunSource, fieldsOf: (text: string) => string[]): Generator<TextRow> {
  const whole = source.text()
  let line = 1
  for (let start = 0; start < whole.length; line++) {
    const found = whole.indexOf('\n', start)
    const end = found < 0 ? whole.length : found
    const text = whole.slice(start, end)
    const fields = fieldsOf(text)
    if (fields.length > 0 && (fields[0] !== '' || fields.some((field) => field !== '')))
      yield { text, fields, line }
    start = end + 1
  }
}
