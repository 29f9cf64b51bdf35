import { join } from 'node:path'
import type { Dataset } from '../dataset/types.ts'
import { readTable, writeTable } from '../tables/parquet.ts'
import { compareIds } from '../text/order.ts'
import type { JudgedQuery } from '../types.ts'
import type { Labels } from './labels.ts'

/**
 * The judged queries of an experiment, kept in its folder so that workers and reports need no dataset: `queries.parquet`
 * (one row a query, sorted by id bytes) and `labels.parquet` (one row a judgement).
 */
export interface Judgement {
  readonly query: number
  readonly judged: string
  readonly grade: number
  /** Judgements of a query with the same group are alternatives of one another; -1 where the query has no groups. */
  readonly group: number
}

export function writeQuestions(
  folder: string,
  queries: readonly JudgedQuery[],
  judgements: readonly Judgement[],
): void {
  writeTable(join(folder, 'queries.parquet'), [
    { name: 'id', type: 'string', values: queries.map(({ id }) => id) },
    { name: 'text', type: 'string', values: queries.map(({ text }) => text) },
    { name: 'category', type: 'string', values: queries.map(({ category }) => category) },
    { name: 'answers', type: 'string', values: queries.map(({ answers }) => JSON.stringify(answers)) },
    { name: 'answerable', type: 'boolean', values: queries.map(({ answerable }) => answerable) },
    { name: 'metadata', type: 'string', values: queries.map(({ metadata }) => JSON.stringify(metadata)) },
  ])
  writeTable(join(folder, 'labels.parquet'), [
    { name: 'query', type: 'int32', values: Int32Array.from(judgements, ({ query }) => query) },
    { name: 'judged', type: 'string', values: judgements.map(({ judged }) => judged) },
    { name: 'grade', type: 'int32', values: Int32Array.from(judgements, ({ grade }) => grade) },
    { name: 'group', type: 'int32', values: Int32Array.from(judgements, ({ group }) => group) },
  ])
}

export async function readQueries(folder: string): Promise<JudgedQuery[]> {
  const table = await readTable(join(folder, 'queries.parquet'))
  const [texts, answers, answerable, metadata] = [
    table.strings('text'),
    table.strings('answers'),
    table.booleans('answerable'),
    table.strings('metadata'),
  ]
  const categories = table.strings('category')
  return table.strings('id').map((id, row) => ({
    id,
    text: texts[row],
    category: categories[row] || null,
    answers: JSON.parse(answers[row]),
    answerable: answerable[row],
    metadata: JSON.parse(metadata[row]),
  }))
}

/** The labels of each query, in the file's order. `unitOf` gives a judged id's row, or -1 where the corpus lacks it. */
export async function readLabels(
  folder: string,
  queries: number,
  unitOf: (id: string) => number,
): Promise<Labels[]> {
  const table = await readTable(join(folder, 'labels.parquet'))
  const [places, ids] = [table.numbers('query'), table.strings('judged')]
  const [grades, groups] = [table.numbers('grade'), table.numbers('group')]
  const rows: number[][] = Array.from({ length: queries }, () => [])
  places.forEach((query, row) => {
    rows[query].push(row)
  })
  return rows.map((list) => ({
    ids: list.map((row) => ids[row]),
    grades: Int32Array.from(list, (row) => grades[row]),
    units: Int32Array.from(list, (row) => unitOf(ids[row])),
    groups: list.some((row) => groups[row] >= 0) ? Int32Array.from(list, (row) => groups[row]) : undefined,
  }))
}

/** A dataset's judgements as rows, by query place and then by judged id's bytes; ids of unknown queries do not occur. */
export function judgementsOf(dataset: Dataset): Judgement[] {
  return dataset.queries.flatMap(({ id }, query) => {
    const groups = dataset.groups.get(id)
    const groupOf = (judged: string) => groups?.findIndex((group) => group.includes(judged)) ?? -1
    return [...(dataset.qrels.get(id) ?? [])]
      .sort(([a], [b]) => compareIds(a, b))
      .map(([judged, grade]) => ({ query, judged, grade, group: groupOf(judged) }))
  })
}
