import { notUtf8 } from '../store/input.ts'
import { plainLines } from '../text/plain-lines.ts'
import type { RunSource } from './types.ts'

/**
 * Calls `take` for every line of a text with its number from 1; LF, CRLF or CR, with or without byte order marks. Bytes that
 * are not UTF-8 are an error.
 */
export function eachRunLine(
  { bytes }: RunSource,
  into: { diagnostic(message: string, line?: number): void },
  take: (text: string, line: number) => void,
): void {
  const text = decode(bytes, into)
  if (text === undefined) return
  let line = 0
  for (let start = 0; start < text.length; ) {
    line++
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    take(text.slice(start, end > start && text[end - 1] === '\r' ? end - 1 : end), line)
    start = end + 1
  }
}

function decode(bytes: Buffer, into: Parameters<typeof eachRunLine>[1]): string | undefined {
  try {
    return plainLines(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    into.diagnostic(notUtf8(bytes), badLine(bytes))
    return undefined
  }
}

/** The first line that does not decode. */
function badLine(bytes: Buffer): number {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 1
  for (let start = 0; start < bytes.length; line++) {
    const found = bytes.indexOf(10, start)
    const end = found < 0 ? bytes.length : found
    try {
      decoder.decode(bytes.subarray(start, end))
    } catch {
      return line
    }
    start = end + 1
  }
  return line
}

/** The fields between white space as C knows it: a no-break space belongs to an id. */
export function fieldsOf(text: string): string[] {
  return text.match(/[^ \t\v\f\r]+/g) ?? []
}
