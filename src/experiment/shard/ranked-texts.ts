import type { GradedRanking, Measure } from '../../metrics/define.ts'
import { answerWords, containableAnswers, containsAnswer } from '../../text/answers.ts'
import type { Chunk, Json, JudgedQuery } from '../../types.ts'

export type TextColumns = Pick<GradedRanking, 'contains' | 'foreign' | 'entities' | 'facts'>

export type RankedTexts = (query: JudgedQuery, rows: Uint32Array) => TextColumns

export function needsTexts(measures: readonly Measure[]): boolean {
  return measures.some(({ needs }) => ['contains', 'foreign', 'entities'].includes(needs))
}

/** Remembers results by query and chunk. */
export function createRankedTexts(measures: readonly Measure[], chunks: readonly Chunk[]): RankedTexts {
  const needsAnswers = measures.some(({ needs }) => needs === 'contains')
  const needsEntities = measures.some(({ needs }) => needs === 'entities')
  const needed = new Map<string, Needed>()
  const fields = [
    ...new Set(measures.flatMap(({ needs, args }) => (needs === 'foreign' ? [String(args.field)] : []))),
  ]
  const containsByAnswer = new Map<string, Map<number, boolean>>()
  const normalised = new Map<number, string>()

  function textOf(row: number): string {
    const normal = normalised.get(row)
    if (normal !== undefined) return normal
    const text = answerWords(`${chunks[row].title} ${chunks[row].text}`).join(' ')
    normalised.set(row, text)
    return text
  }

  function holdsAnswer(query: JudgedQuery, answers: readonly string[], row: number): boolean {
    const byRow = containsByAnswer.get(query.id) ?? new Map<number, boolean>()
    containsByAnswer.set(query.id, byRow)
    const contains = byRow.get(row) ?? containsAnswer(textOf(row), answers)
    byRow.set(row, contains)
    return contains
  }

  /** First rank of a text with all names; 0 if none has. */
  function firstNaming(names: readonly string[], rows: Uint32Array): number {
    return 1 + rows.findIndex((row) => names.every((name) => containsAnswer(textOf(row), [name])))
  }

  function entityColumns(query: JudgedQuery, rows: Uint32Array): TextColumns {
    const { entities, facts } = needed.get(query.id) ?? neededBy(query)
    needed.set(query.id, { entities, facts })
    return {
      ...(entities.length > 0 && {
        entities: Int32Array.from(entities, (name) => firstNaming([name], rows)),
      }),
      ...(facts.length > 0 && { facts: Int32Array.from(facts, (ends) => firstNaming(ends, rows)) }),
    }
  }

  return (query, rows) => {
    const answers = needsAnswers ? containableAnswers(query.answers) : []
    const present = fields.filter((field) => query.metadata[field] !== undefined)
    return {
      ...(needsEntities && entityColumns(query, rows)),
      contains:
        answers.length > 0
          ? Uint8Array.from(rows, (row) => (holdsAnswer(query, answers, row) ? 1 : 0))
          : undefined,
      foreign: Object.fromEntries(
        present.map((field) => [
          field,
          Uint8Array.from(rows, (row) => (chunks[row].metadata[field] === query.metadata[field] ? 0 : 1)),
        ]),
      ),
    }
  }
}

/** Names as words; facts as the names of both ends. */
interface Needed {
  readonly entities: readonly string[]
  readonly facts: readonly (readonly string[])[]
}

/** Reads `entities` and `path` of the metadata; other forms count as none. */
function neededBy({ metadata: { entities, path } }: JudgedQuery): Needed {
  const isText = (value: Json): value is string => typeof value === 'string'
  const words = (names: readonly string[]) => names.map((name) => answerWords(name).join(' ')).filter(Boolean)
  const facts = (Array.isArray(path) ? path : []).flatMap((fact) => {
    if (!Array.isArray(fact) || fact.length < 2 || !fact.every(isText)) return []
    const ends = words([fact[0], fact[fact.length - 1]])
    return ends.length === 2 ? [ends] : []
  })
  const named = Array.isArray(entities) ? words(entities.filter(isText)) : facts.flat()
  return { entities: [...new Set(named)], facts }
}
