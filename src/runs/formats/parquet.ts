import { dirname } from 'node:path'
import { makeFolder } from '../../store/write.ts'
import type { ParquetColumn } from '../../tables/column.ts'
import { takeRows } from '../source.ts'
import type { RunFormat } from '../types.ts'

/** Parquet with the columns of the CSV form. Its libraries are loaded with the first file. */
export const parquet: RunFormat = {
  name: 'parquet',
  summary: 'Parquet: query_id, document_id, score (run), or grade (group)',
  extension: '.parquet',
  unit: 'row',
  detect: ({ isParquet }) => isParquet,
  async read({ path }, into, kind) {
    const { readForeignTable } = await import('../../tables/foreign.ts')
    const table = await readForeignTable(path)
    const values = table.columns.map((name) => table.values(name))
    const rows = Array.from({ length: table.rows }, (_, row) => ({
      fields: values.map((column) => column[row]),
      line: row + 1,
    }))
    takeRows({ fields: table.columns }, rows, into, kind)
  },
  writes: ['run', 'qrels'],
  hasGroups: true,
  async write(path, rows, kind) {
    const isRun = kind === 'run'
    const columns: ParquetColumn[] = [
      { name: 'query_id', type: 'string', values: rows.map(({ query }) => query) },
      { name: 'document_id', type: 'string', values: rows.map(({ id }) => id) },
      isRun
        ? { name: 'score', type: 'number', values: rows.map(({ value }) => value) }
        : { name: 'grade', type: 'integer', values: rows.map(({ value }) => value) },
    ]
    const extras = rows.map(({ extra }) => extra || null)
    if (isRun || extras.some((extra) => extra !== null))
      columns.push({ name: isRun ? 'run' : 'group', type: 'string', values: extras })
    const { writeTable } = await import('../../tables/parquet.ts')
    makeFolder(dirname(path))
    writeTable(path, columns)
  },
}
