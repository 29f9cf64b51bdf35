import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { spanId } from '../../dataset/collapse.ts'
import type { WithoutDocuments } from '../../dataset/types.ts'
import { UserError } from '../../errors.ts'
import { changed } from '../../results/finished.ts'
import { sha256File } from '../../store/hash.ts'
import { columnsOf, int32 } from '../../tables/column.ts'
import { readTable, writeTable } from '../../tables/parquet.ts'
import { compareIds } from '../../text/ids.ts'
import type { JudgedQuery } from '../../types.ts'
import type { ShardLabels } from './locate.ts'

/**
 * Judged queries in the experiment's folder, so that workers and reports need no dataset: `queries.parquet` (by id
 * bytes) and `labels.parquet`.
 */
interface GoldLabel {
  readonly query: number
  readonly judged: string
  readonly grade: number
  /** Labels of one group are alternatives; -1 without groups. */
  readonly group: number
}

const FILES = ['queries.parquet', 'labels.parquet'] as const

/** Returns the SHA-256 of each file. */
export function writeQuestions(
  folder: string,
  queries: readonly JudgedQuery[],
  labels: readonly GoldLabel[],
  clusters: Int32Array | null,
): Record<string, string> {
  const rows = queries.map(({ id, text, category, answers, answerable, metadata, evidence = [] }) => ({
    id,
    text,
    category,
    answers: JSON.stringify(answers),
    answerable,
    metadata: JSON.stringify(metadata),
    evidence: JSON.stringify(evidence),
  }))
  writeTable(join(folder, 'queries.parquet'), [
    ...columnsOf<(typeof rows)[number]>(rows, {
      id: 'string',
      text: 'string',
      category: 'string',
      answers: 'string',
      answerable: 'boolean',
      metadata: 'string',
      ...(queries.some(({ evidence }) => evidence) && { evidence: 'string' as const }),
    }),
    ...(clusters ? [int32('cluster', clusters)] : []),
  ])
  writeTable(
    join(folder, 'labels.parquet'),
    columnsOf(labels, { query: 'int32', judged: 'string', grade: 'int32', group: 'int32' }),
  )
  return questionHashes(folder)
}

export function questionHashes(folder: string): Record<string, string> {
  return Object.fromEntries(FILES.map((file) => [file, sha256File(join(folder, file))]))
}

/** Throws a UserError if a file was changed. */
export function requireQuestions(folder: string, written: Readonly<Record<string, string>> = {}): void {
  for (const file of FILES) {
    const path = join(folder, file)
    if (!existsSync(path) || sha256File(path) !== written[file]) throw new UserError(changed(path))
  }
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
  const evidence = table.columns.includes('evidence') ? table.strings('evidence') : []
  return table
    .strings('id')
    .map((id, row) => ({
      id,
      text: texts[row],
      category: categories[row] || null,
      answers: JSON.parse(answers[row]),
      answerable: answerable[row],
      metadata: JSON.parse(metadata[row]),
      ...(evidence[row] && evidence[row] !== '[]' && { evidence: JSON.parse(evidence[row]) }),
    }))
}

/** Labels of each query; `placed` finds the units of judged ids. */
export async function readShardLabels(
  folder: string,
  queries: number,
  placed: (ids: readonly string[]) => Pick<ShardLabels, 'units' | 'holders'>,
): Promise<ShardLabels[]> {
  const table = await readTable(join(folder, 'labels.parquet'))
  const [indexes, ids] = [table.numbers('query'), table.strings('judged')]
  const [grades, groups] = [table.numbers('grade'), table.numbers('group')]
  const rows: number[][] = Array.from({ length: queries }, () => [])
  indexes.forEach((query, row) => {
    rows[query].push(row)
  })
  return rows.map((list) => {
    const listIds = list.map((row) => ids[row])
    return {
      ids: listIds,
      grades: Int32Array.from(list, (row) => grades[row]),
      ...placed(listIds),
      groups: list.some((row) => groups[row] >= 0) ? Int32Array.from(list, (row) => groups[row]) : undefined,
    }
  })
}

/** Labels by query index and judged id's bytes, spans by position. */
export function goldLabelsOf({ queries, qrels, groups, spans, judgedUnit }: WithoutDocuments): GoldLabel[] {
  return queries.flatMap(({ id }, query): GoldLabel[] => {
    const judged =
      judgedUnit === 'span'
        ? (spans.get(id) ?? []).map((span) => [spanId(span), span.grade ?? 1] as const)
        : [...(qrels.get(id) ?? [])].sort(([a], [b]) => compareIds(a, b))
    const queryGroups = groups.get(id)
    // Each ungrouped label is a group of its own.
    let nextGroup = queryGroups?.length ?? 0
    const groupOf = (judged: string) => {
      if (!queryGroups) return -1
      const groupIndex = queryGroups.findIndex((group) => group.includes(judged))
      return groupIndex < 0 ? nextGroup++ : groupIndex
    }
    return judged.map(([judged, grade]) => ({ query, judged, grade, group: groupOf(judged) }))
  })
}
