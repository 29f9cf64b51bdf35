import { expect, test } from 'vitest'
import { thinGraphLines, wideGraphLines } from '../../src/report/data-notes.ts'

const graph = { chunks: 240, entities: 60, relationships: 43, entitiesPerChunk: 0.3, isolatedChunks: 121 }

test('a graph that most chunks have no part in is told with what it holds', () => {
  const [line, ...others] = thinGraphLines([{ name: 'variant 1', counts: graph }])
  expect(line).toContain(
    '60 entities and 43 relationships, 0.3 entities per chunk, and 49.6 % of the chunks have an entity',
  )
  expect(others).toEqual([])
  const covering = { ...graph, isolatedChunks: 0 }
  expect(thinGraphLines([{ name: 'variant 1', counts: { ...covering, isolatedEntities: 45 } }])).toEqual([
    expect.stringContaining(
      'The graph has few relationships: 60 entities and 43 relationships; 75.0 % of the entities have none.',
    ),
  ])
  expect(thinGraphLines([{ name: 'variant 1', counts: { ...covering, isolatedEntities: 30 } }])).toEqual([])
})

test('title links that most chunks have no part in are told, and whose they are', () => {
  const thin = { chunks: 100, titleLinks: 3, chunksWithoutTitleLink: 95 }
  const full = { chunks: 100, titleLinks: 80, chunksWithoutTitleLink: 50 }
  expect(
    thinGraphLines([
      { name: 'variant 1', counts: full },
      { name: 'variant 2', counts: thin },
    ]),
  ).toEqual([expect.stringContaining('The title links of variant 2 reach 5.0 % of the chunks')])
})

test('a boost over a graph in which nearly everything is near is told, with ties that rows decide', () => {
  const linesOf = (perQuery: Record<string, number>, chunks = 1000) => {
    const summary = { trials: [{ name: 'boosted', variant: 0, perQuery }], indexes: [{ counts: { chunks } }] }
    return wideGraphLines(summary as never)
  }
  expect(linesOf({ neighbors: 820.4, tiedAtLimit: 468 })).toEqual([
    'boosted: one of its best chunks has 820 neighbours on average (82.0 % of the corpus); 468 chunks (46.8 % of the corpus) tie at `limit` on average, and their row decides. Nearness in this graph says little; choose `relations` or another `over` for graph-boost.',
  ])
  expect(linesOf({ neighbors: 50, tiedAtLimit: 50 })).toEqual([])
  expect(linesOf({ neighbors: 51 })[0]).toContain('51 neighbours')
  expect(linesOf({ neighbors: 18 }, 60)).toEqual([])
  expect(linesOf({})).toEqual([])
})
