import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CsvValue, csvTable } from '../../../text/csv.ts'
import { defineExport } from './define.ts'
import { networkOf, networkReads, SEPARATOR } from './network.ts'

/**
 * `nodes.csv` and `edges.csv` with the column names that Gephi's spreadsheet import knows. A text that a
 * spreadsheet would run as a formula begins with an apostrophe, in both files alike.
 */
export const csv = defineExport({
  name: 'csv',
  summary: 'a folder with nodes.csv and edges.csv, as Gephi and pandas read them',
  folder: true,
  reads: networkReads,
  write(path, opened) {
    const { nodes, edges } = networkOf(opened)
    const table = (name: string, header: readonly string[], rows: readonly (readonly CsvValue[])[]) =>
      writeFileSync(join(path, name), csvTable(header, rows))
    table(
      'nodes.csv',
      ['Id', 'Label', 'EntityType', 'Description', 'Degree', 'Chunks'],
      nodes.map(({ name, type, description, degree, chunks }) => [
        ...[name, name, type, description, degree],
        chunks.join(SEPARATOR),
      ]),
    )
    table(
      'edges.csv',
      ['Source', 'Target', 'Type', 'Weight', 'Description', 'Keywords', 'Relation', 'Chunks'],
      edges.map(({ source, target, weight, description, keywords, relations, chunks }) => [
        ...[source, target, 'Directed', weight, description, keywords],
        ...[relations.join(', '), chunks.join(SEPARATOR)],
      ]),
    )
    return []
  },
})
