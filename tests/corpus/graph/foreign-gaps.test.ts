import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ParquetColumn } from '../../../src/tables/column.ts'
import { writeTable } from '../../../src/tables/parquet.ts'
import { temporaryFolder } from '../../temporary.ts'
import { read } from './read-foreign.ts'

/** Files of other programs in which something is missing or written otherwise. */

const text = (name: string, ...values: string[]): ParquetColumn => ({ name, type: 'string', values })
const lists = (name: string, ...values: string[][]): ParquetColumn => ({ name, type: 'strings', values })

const ENTITIES = [
  text('id', 'e0', 'e1', 'e2'),
  text('title', 'LOMM', 'ORR', 'TARN'),
  text('type', 'TOWN', '', 'TOWN'),
  text('description', 'A town', '', 'Another town'),
  lists('text_unit_ids', ['d0'], ['d0'], ['d1']),
]
const RELATIONSHIPS: ParquetColumn[] = [
  text('id', 'r0', 'r1'),
  text('source', 'LOMM', 'TARN'),
  text('target', 'ORR', 'LOMM'),
  text('description', 'lies at', ''),
  { name: 'weight', type: 'number', values: [3, 5] },
  lists('text_unit_ids', ['d0'], ['d1']),
]

function folderOf(tables: Readonly<Record<string, readonly ParquetColumn[]>>): string {
  const folder = temporaryFolder()
  for (const [name, columns] of Object.entries(tables))
    writeTable(join(folder, `${name}.parquet`), [...columns])
  return folder
}

const without = (columns: readonly ParquetColumn[], ...names: string[]) =>
  columns.filter(({ name }) => !names.includes(name))
const replaced = (columns: readonly ParquetColumn[], column: ParquetColumn) => [
  ...without(columns, column.name),
  column,
]

describe('tables of GraphRAG', () => {
  const graphragGraph = (tables: Readonly<Record<string, readonly ParquetColumn[]>>) =>
    read('graphrag', folderOf(tables))
  const AT = ['LOMM: 0', 'ORR: 0', 'TARN: 1']
  const EDGES = ['LOMM --> ORR 3', 'TARN --> LOMM 5']

  it('are whole in any order of columns', async () => {
    const { at, edges, counts, notices } = await graphragGraph({
      entities: [...ENTITIES].reverse(),
      relationships: [...RELATIONSHIPS].reverse(),
    })
    expect([at, edges]).toEqual([AT, EDGES])
    expect(counts).toMatchObject({ entitiesWithoutDescription: 1, relationshipsWithoutDescription: 1 })
    expect(notices).toContain('entities.parquet: 1 relationships without description')
  })

  it('without descriptions, types and weights have a graph of equal weights, counted', async () => {
    const { at, edges, counts, notices } = await graphragGraph({
      entities: without(ENTITIES, 'description', 'type'),
      relationships: without(RELATIONSHIPS, 'description', 'weight'),
    })
    expect([at, edges]).toEqual([AT, ['LOMM --> ORR 1', 'TARN --> LOMM 1']])
    expect(counts).toMatchObject({
      entitiesWithoutDescription: 3,
      relationshipsWithoutDescription: 2,
      relationshipsWithoutWeight: 2,
    })
    expect(notices).toContain('entities.parquet: 2 relationships without weight')
  })

  it('without any text unit are looked for in the texts by name', async () => {
    const { at, counts, notices } = await graphragGraph({
      entities: without(ENTITIES, 'text_unit_ids'),
      relationships: without(RELATIONSHIPS, 'text_unit_ids'),
    })
    expect(at).toEqual(AT)
    expect(counts).toMatchObject({ relationshipsWithoutChunks: 2 })
    expect(notices).toContain(
      'entities.parquet: it names no chunk; its entities are looked for in the texts by name',
    )
  })

  it('that passed through SQL or CSV have lists and numbers as text', async () => {
    const { at, edges } = await graphragGraph({
      entities: replaced(ENTITIES, text('text_unit_ids', '["d0"]', "['d0']", "['d1' 'd9']")),
      relationships: replaced(
        replaced(RELATIONSHIPS, text('weight', '3.0', ' 5')),
        text('text_unit_ids', '["d0"]', ''),
      ),
    })
    expect([at, edges]).toEqual([AT, EDGES])
  })
})
