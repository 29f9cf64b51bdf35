import { expect, test } from 'vitest'
import { assembleCommunities, communityColumns } from '../../../src/corpus/graph/communities/assemble.ts'
import { buildIncidence, type Incidence, membersOf } from '../../../src/corpus/graph/csr.ts'
import type { Graph } from '../../../src/corpus/graph/graph.ts'
import { sha256 } from '../../../src/store/hash.ts'

/** Members of each row in turn. */
const incidence = (rows: readonly (readonly number[])[], range: number): Incidence =>
  buildIncidence(
    rows.length,
    { rows: rows.flatMap((members, row) => members.map(() => row)), members: rows.flat() },
    range,
  )

const lists = (incidence: Incidence, rows: number) =>
  Array.from({ length: rows }, (_, row) => [...membersOf(incidence, row)])

/** Relationships: 0 ann to bob, 1 cy to bob, 2 cy to dan, 3 bob to ann, 4 dan to eve. */
const graph = {
  entities: { size: 5, keys: ['ann', 'bob', 'cy', 'dan', 'eve'] },
  relationships: { size: 5, sources: Uint32Array.of(0, 2, 2, 1, 3), targets: Uint32Array.of(1, 1, 3, 0, 4) },
  relationshipsOfEntity: incidence([[0, 3], [0, 1, 3], [1, 2], [2, 4], [4]], 5),
  chunksOfEntity: incidence([[0, 2], [1, 2], [3], [3], [0]], 4),
  chunks: 4,
} as unknown as Graph

const communities = [
  { level: 0, parent: -1, members: [0, 1, 2] },
  { level: 0, parent: -1, members: [3, 4] },
  { level: 1, parent: 0, members: [0, 1] },
  { level: 1, parent: 0, members: [2] },
].map((community) => ({ ...community, members: Uint32Array.from(community.members) }))

test('communities have the relationships inside them, the chunks of their entities, and ids by level and entities', () => {
  const made = assembleCommunities(communityColumns(communities, 5), graph)
  const { entities, relationships, chunks, levels, parents, ...rest } = made
  expect(rest).toEqual({
    size: 4,
    ids: ['0\0ann\0bob\0cy', '0\0dan\0eve', '1\0ann\0bob', '1\0cy'].map((content) =>
      sha256(`community\0${content}`).slice(0, 32),
    ),
    children: [[2, 3], [], [], []],
    titles: ['Community 0', 'Community 1', 'Community 2', 'Community 3'],
    depth: 2,
    notices: {},
  })
  expect([[...levels], [...parents]]).toEqual([
    [0, 0, 1, 1],
    [-1, -1, 0, 0],
  ])
  expect(lists(entities, 4)).toEqual([[0, 1, 2], [3, 4], [0, 1], [2]])
  expect(lists(relationships, 4)).toEqual([[0, 1, 3], [4], [0, 3], []])
  expect(lists(chunks, 4)).toEqual([[0, 1, 2, 3], [0, 3], [0, 1, 2], [3]])
})
