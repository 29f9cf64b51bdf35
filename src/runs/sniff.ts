import { readInteger, readNumber } from '../text/numbers.ts'
import { fieldsOf } from './lines.ts'

/** Format detection by a file's beginning. Ids may begin with `{` or `PAR1`, so one sign is not enough. */

/** Parquet begins and ends with its mark; the length of the footer precedes the last mark. */
export function isParquet(bytes: Buffer): boolean {
  const { length } = bytes
  if (length < 12 || bytes.toString('latin1', 0, 4) !== 'PAR1') return false
  // Cut off, it is still no text.
  if (bytes.toString('latin1', length - 4) !== 'PAR1') return bytes.subarray(0, 4096).includes(0)
  return bytes.readUInt32LE(length - 8) <= length - 12
}

/** JSON begins with `{` and a key or `}`, or with a list of such; a line with TREC's columns does not, whatever its ids. */
export function isJson(bytes: Buffer): boolean {
  const text = bytes.toString('utf8', 0, 65_536).replace(/^\ufeff/, '')
  return /^\s*(?:\{\s*(?:"|\}|$)|\[\s*\{\s*")/.test(text) && !hasColumns(text.trimStart().split('\n', 1)[0])
}

/** True if a line can be one of a TREC run, or of TREC's or BEIR's qrels. */
function hasColumns(line: string): boolean {
  const fields = fieldsOf(line)
  const isNumber = (at: number) => readNumber(fields[at]) !== undefined
  if (fields.length === 3) return readInteger(fields[2]) !== undefined
  const named = /^q?0$/i.test(fields[1])
  if (fields.length === 4)
    return isNumber(3) && (named || isNumber(2) || readInteger(fields[3]) !== undefined)
  return named ? isNumber(4) : isNumber(2) && isNumber(3)
}
