import { gunzipSync } from 'node:zlib'
import { readBytes } from '../store/input.ts'
import { GRADE, hasRole, isHeader, SCORE } from '../tables/roles.ts'
import { readInteger } from '../text/numbers.ts'
import { fieldsOf } from './lines.ts'
import { isJson, isParquet } from './sniff.ts'
import type { FileKind } from './types.ts'

/**
 * Kind of a file by its form: the number of TREC's columns, the names of CSV's, BEIR's tabs. Undefined for JSON and
 * Parquet, whose runs and qrels look alike.
 */
export function kindOfFile(path: string): FileKind | undefined {
  const raw = readBytes(path)
  const bytes = raw[0] === 0x1f && raw[1] === 0x8b ? gunzipSync(raw) : raw
  const text = bytes.toString('utf8', 0, 65_536)
  if (isParquet(bytes) || isJson(bytes)) return undefined
  const first = text.split(/\r?\n/).find((line) => line.trim() !== '' && !line.startsWith('#')) ?? ''
  const isTabbed = first.includes('\t')
  const header = first.split(isTabbed ? '\t' : ',')
  if (header.length >= 3 && isHeader(header)) {
    // A grade shows by the first rank alone: a run has a score too.
    const grade = hasRole(header, { ...GRADE, names: GRADE.names.slice(0, 1) })
    const score = hasRole(header, SCORE)
    const ours = /^query-id\s+corpus-id\s+score\b/i.test(first)
    if (score !== grade || ours) return score && !ours ? 'run' : 'qrels'
  }
  if (isTabbed && header.length === 3) return 'qrels'
  const fields = fieldsOf(first)
  if (fields.length < 4) return undefined
  return fields.length > 4 || readInteger(fields[3]) === undefined ? 'run' : 'qrels'
}
