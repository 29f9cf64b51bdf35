import { dirname } from 'node:path'
import { makeFolder } from '../../store/make-folder.ts'
import type { ParquetColumn } from '../../tables/column.ts'
import { assignColumns, type ColumnRole, DOCUMENT, GRADE, GROUP, QUERY } from '../../tables/roles.ts'
import { readScore } from '../../text/numbers.ts'
import { RUN_COLUMNS } from '../columns.ts'
import { bestFirst, byId } from '../order.ts'
import { isParquet } from '../sniff.ts'
import { defineRunFormat, type QrelsSink, type RunSink } from '../types.ts'

/**
 * Parquet with the columns of the CSV form: `query_id`, `document_id`, `score`, `run`, or `grade`, `group`. The Parquet
 * libraries are loaded with the first file, so scoring other formats does not pay for them.
 */
export const parquet = defineRunFormat({
  name: 'parquet',
  summary: 'Parquet: query_id, document_id, score (run), or grade (group)',
  extension: '.parquet',
  unit: 'row',
  detect: ({ bytes }) => isParquet(bytes),
  async readRun({ path }, into) {
    const rows = await readRows(path, into, RUN_COLUMNS)
    rows.forEach(([query, id, score, name, rank], row) => {
      into.entry(query, id, score, row + 1, readScore(rank))
      if (name) into.name(name)
    })
  },
  async readQrels({ path }, into) {
    const rows = await readRows(path, into, [QUERY, DOCUMENT, GRADE, GROUP])
    rows.forEach(([query, id, grade, group], row) => {
      into.qrel(query, id, grade, row + 1, group || undefined)
    })
  },
  async writeRun(path, { name, queries }) {
    const rows = byId(queries).flatMap(([query, entries]) =>
      bestFirst(entries).map((index) => ({ query, id: entries.ids[index], score: entries.scores[index] })),
    )
    const columns = [
      { name: 'query_id', type: 'string', values: rows.map(({ query }) => query) },
      { name: 'document_id', type: 'string', values: rows.map(({ id }) => id) },
      { name: 'score', type: 'number', values: rows.map(({ score }) => score) },
      { name: 'run', type: 'string', values: rows.map(() => name) },
    ] as const
    await write(path, columns)
  },
  async writeQrels(path, { qrels, groups }) {
    const rows = byId(qrels).flatMap(([query, judged]) =>
      byId(judged).map(([id, grade]) => ({ query, id, grade, group: groups.get(query)?.get(id) ?? null })),
    )
    const columns: ParquetColumn[] = [
      { name: 'query_id', type: 'string', values: rows.map(({ query }) => query) },
      { name: 'document_id', type: 'string', values: rows.map(({ id }) => id) },
      { name: 'grade', type: 'integer', values: rows.map(({ grade }) => grade) },
    ]
    if (groups.size > 0)
      columns.push({ name: 'group', type: 'string', values: rows.map(({ group }) => group) })
    await write(path, columns)
  },
})

async function write(path: string, columns: readonly ParquetColumn[]): Promise<void> {
  const { writeTable } = await import('../../tables/parquet.ts')
  makeFolder(dirname(path))
  writeTable(path, columns)
}

/** Row of a run or of qrels as the file holds it: two ids, a number, a text that may be empty, and a run's rank. */
type RunRow = readonly [query: unknown, id: unknown, value: unknown, extra: string, rank: unknown]

/** Rows of a Parquet file, the value of each role in turn; none, with diagnostics, if a column is missing. */
async function readRows(
  path: string,
  into: RunSink | QrelsSink,
  roles: readonly ColumnRole[],
): Promise<RunRow[]> {
  const { readForeignTable } = await import('../../tables/foreign.ts')
  const table = await readForeignTable(path)
  const { columns } = table
  const valuesOf = (column: number) => table.values(columns[column])
  const assigned = assignColumns(columns, roles, valuesOf, into.columns, (message) =>
    into.diagnostic(message),
  )
  if (!assigned) return []
  if (assigned.read) into.read(assigned.read)
  const [queries, ids, values] = assigned.indexes.slice(0, 3).map(valuesOf)
  const [extra, rank = -1] = assigned.indexes.slice(3)
  const extras = extra < 0 ? null : table.strings(columns[extra])
  const ranks = rank < 0 ? [] : valuesOf(rank)
  return queries.map((query, row) => [query, ids[row], values[row], extras ? extras[row] : '', ranks[row]])
}
