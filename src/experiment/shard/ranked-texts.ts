import type { GradedRanking, Measure } from '../../metrics/define.ts'
import { answerWords, containableAnswers, containsAnswer } from '../../text/answers.ts'
import type { Chunk, JudgedQuery } from '../../types.ts'

/** Columns for measures on texts, by rank of the chunk. */
export type RankedTexts = (
  query: JudgedQuery,
  rows: Uint32Array,
) => Pick<GradedRanking, 'contains' | 'foreign'>

/** True if any measure reads texts. */
export function needsTexts(measures: readonly Measure[]): boolean {
  return measures.some(({ needs }) => needs === 'contains' || needs === 'foreign')
}

/** Reads texts of chunks; remembers the result by query and chunk. */
export function createRankedTexts(measures: readonly Measure[], chunks: readonly Chunk[]): RankedTexts {
  const needsAnswers = measures.some(({ needs }) => needs === 'contains')
  const fields = [
    ...new Set(measures.flatMap(({ needs, args }) => (needs === 'foreign' ? [String(args.field)] : []))),
  ]
  const held = new Map<string, Map<number, boolean>>()
  const normalised = new Map<number, string>()

  function textOf(row: number): string {
    const known = normalised.get(row)
    if (known !== undefined) return known
    const text = answerWords(`${chunks[row].title} ${chunks[row].text}`).join(' ')
    normalised.set(row, text)
    return text
  }

  function holdsAnswer(query: JudgedQuery, answers: readonly string[], row: number): boolean {
    const byRow = held.get(query.id) ?? new Map<number, boolean>()
    held.set(query.id, byRow)
    const known = byRow.get(row) ?? containsAnswer(textOf(row), answers)
    byRow.set(row, known)
    return known
  }

  return (query, rows) => {
    const answers = needsAnswers ? containableAnswers(query.answers) : []
    const known = fields.filter((field) => query.metadata[field] !== undefined)
    return {
      contains:
        answers.length > 0
          ? Uint8Array.from(rows, (row) => (holdsAnswer(query, answers, row) ? 1 : 0))
          : undefined,
      foreign: Object.fromEntries(
        known.map((field) => [
          field,
          Uint8Array.from(rows, (row) => (chunks[row].metadata[field] === query.metadata[field] ? 0 : 1)),
        ]),
      ),
    }
  }
}
