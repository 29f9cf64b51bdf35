import { GRADE, hasRole, isHeader, SCORE } from '../tables/roles.ts'
import { readInteger } from '../text/numbers.ts'
import { openSource, spaced } from './source.ts'
import type { FileKind } from './types.ts'

/**
 * Kind of a file by its form: the number of TREC's columns, the names of CSV's, BEIR's tabs. Undefined for JSON and
 * Parquet, whose runs and qrels look alike.
 */
export function kindOfFile(path: string): FileKind | undefined {
  const { head, isParquet, isJson } = openSource(path)
  if (isParquet || isJson) return undefined
  const first = head.split(/\r?\n/).find((line) => line.trim() !== '' && !line.startsWith('#')) ?? ''
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
  const fields = spaced(first)
  if (fields.length < 4) return undefined
  return fields.length > 4 || readInteger(fields[3]) === undefined ? 'run' : 'qrels'
}
