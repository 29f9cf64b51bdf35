import { join } from 'node:path'
import { expect, test } from 'vitest'
import graphragCommunities from '../../../src/corpus/graph/communities/graphrag.ts'
import type { Graph } from '../../../src/corpus/graph/graph.ts'
import { writeTable } from '../../../src/tables/parquet.ts'
import { temporaryFolder } from '../../temporary.ts'

type Row = readonly [community: number, level: number, parent: number, entities: readonly string[]]

async function find(rows: readonly Row[]) {
  const folder = temporaryFolder()
  const titles = ['A', 'B', 'C', 'D', 'Elsewhere']
  writeTable(join(folder, 'entities.parquet'), [
    { name: 'id', type: 'string', values: titles.map((title) => `id of ${title}`) },
    { name: 'title', type: 'string', values: titles },
  ])
  writeTable(join(folder, 'communities.parquet'), [
    { name: 'community', type: 'integer', values: rows.map(([community]) => community) },
    { name: 'level', type: 'integer', values: rows.map(([, level]) => level) },
    { name: 'parent', type: 'integer', values: rows.map(([, , parent]) => parent) },
    {
      name: 'entity_ids',
      type: 'strings',
      values: rows.map(([, , , names]) => names.map((name) => `id of ${name}`)),
    },
  ])
  const names = ['D', 'C', 'B', 'A']
  const graph = { entities: { names, keys: names.map((name) => name.toLowerCase()) } } as unknown as Graph
  const { communities, notices } = await graphragCommunities.make({ path: folder }).find(graph)
  const shown = communities.map(({ level, parent, members }) => [
    level,
    parent,
    Array.from(members, (row) => names[row]).join(''),
  ])
  return [shown, ...Object.values(notices ?? {})]
}

/** Communities as level, row of the parent and members; then those left out, those without a parent, unknown entities. */
test.each<[string, Row[], unknown[]]>([
  ['a community of one entity', [[7, 0, -1, ['A']]], [[[0, -1, 'A']], 0, 0, 0]],
  [
    'levels, then the first member, whatever the order of the file',
    [
      [3, 1, 1, ['A']],
      [2, 0, -1, ['A', 'B']],
      [1, 0, -1, ['D', 'C']],
      [4, 1, 2, ['B']],
    ],
    [
      [
        [0, -1, 'DC'],
        [0, -1, 'BA'],
        [1, 1, 'B'],
        [1, 0, 'A'],
      ],
      0,
      0,
      0,
    ],
  ],
  [
    'entities that are in no text, once each',
    [
      [0, 0, -1, ['A', 'Elsewhere', 'Nobody', 'A']],
      [1, 0, -1, ['Elsewhere']],
    ],
    [[[0, -1, 'A']], 1, 0, 2],
  ],
  [
    'children of a community that is left out go to its parent, or have none',
    [
      [0, 0, -1, ['A', 'B']],
      [1, 1, 0, ['Nobody']],
      [2, 2, 1, ['A']],
      [3, 1, 9, ['B']],
    ],
    [
      [
        [0, -1, 'BA'],
        [1, -1, 'B'],
        [2, 0, 'A'],
      ],
      1,
      1,
      1,
    ],
  ],
  [
    'a community that is its own ancestor',
    [
      [0, 0, -1, ['A']],
      [1, 1, 2, ['Nobody']],
      [2, 1, 1, ['Nobody']],
      [3, 2, 1, ['B']],
    ],
    [
      [
        [0, -1, 'A'],
        [2, -1, 'B'],
      ],
      2,
      1,
      1,
    ],
  ],
])('%s', async (_, rows, expected) => {
  expect(await find(rows)).toEqual(expected)
})
