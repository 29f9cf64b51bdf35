import { expect, test } from 'vitest'
import { thinGraphLines } from '../../src/report/data-notes.ts'

const graph = { chunks: 240, entities: 60, relationships: 43, entitiesPerChunk: 0.3, isolatedChunks: 121 }

test('a graph that most chunks have no part in is told with what it holds', () => {
  const [line, ...others] = thinGraphLines([{ name: 'variant 1', counts: graph }])
  expect(line).toContain(
    '60 entities and 43 relationships, 0.3 entities per chunk, and 49.6 % of the chunks have an entity',
  )
  expect(others).toEqual([])
  expect(thinGraphLines([{ name: 'variant 1', counts: { ...graph, isolatedChunks: 120 } }])).toEqual([])
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
