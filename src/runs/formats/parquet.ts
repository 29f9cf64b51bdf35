import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ParquetColumn } from '../../tables/column.ts'
import { writeTable } from '../../tables/parquet.ts'
import { DOCUMENT, GRADE, GROUP, NAME, QUERY, SCORE } from '../../tables/roles.ts'
import { bestFirst, byId } from '../order.ts'
import { readRows } from '../parquet-columns.ts'
import { isParquet } from '../sniff.ts'
import { defineRunFormat } from '../types.ts'

/** Parquet with the columns of the CSV form: `query_id`, `document_id`, `score`, `run`, or `grade`, `group`. */
export const parquet = defineRunFormat({
  name: 'parquet',
  summary: 'Parquet: query_id, document_id, score (run), or grade (group)',
  extension: '.parquet',
  unit: 'row',
  detect: ({ bytes }) => isParquet(bytes),
  async readRun({ path }, into) {
    const rows = await readRows(path, into, [QUERY, DOCUMENT, SCORE, NAME])
    rows.forEach(([query, id, score, name], row) => {
      into.entry(query, id, score, row + 1)
      if (name) into.name(name)
    })
  },
  async readQrels({ path }, into) {
    const rows = await readRows(path, into, [QUERY, DOCUMENT, GRADE, GROUP])
    rows.forEach(([query, id, grade, group], row) => {
      into.qrel(query, id, grade, row + 1, group || undefined)
    })
  },
  writeRun(path, { name, queries }) {
    const rows = byId(queries).flatMap(([query, entries]) =>
      bestFirst(entries).map((index) => ({ query, id: entries.ids[index], score: entries.scores[index] })),
    )
    const columns = [
      { name: 'query_id', type: 'string', values: rows.map(({ query }) => query) },
      { name: 'document_id', type: 'string', values: rows.map(({ id }) => id) },
      { name: 'score', type: 'number', values: rows.map(({ score }) => score) },
      { name: 'run', type: 'string', values: rows.map(() => name) },
    ] as const
    mkdirSync(dirname(path), { recursive: true })
    writeTable(path, columns)
  },
  writeQrels(path, { qrels, groups }) {
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
    mkdirSync(dirname(path), { recursive: true })
    writeTable(path, columns)
  },
})
