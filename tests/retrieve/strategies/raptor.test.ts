import { expect, test } from 'vitest'
import { incidenceOf } from '../../../src/corpus/graph/csr.ts'
import type { Mask } from '../../../src/ranking/mask.ts'
import { collapseTree, rankSummaries } from '../../../src/retrieve/strategies/raptor.ts'
import { outputsOf } from './prepared.ts'

const vector = Float32Array.of(1)
const rankingOf = (...pairs: [row: number, score: number][]) => ({
  rows: Uint32Array.from(pairs, ([row]) => row),
  scores: Float64Array.from(pairs, ([, score]) => score),
})

/** A tree of as many summaries of layer 1, whose cosines to the query are given. */
const treeOf = (...cosines: number[]) => ({
  summaries: cosines.map((_, row) => ({ layer: 1, text: `S${row}`, tokens: 5, children: [row] })),
  chunks: incidenceOf(
    cosines.map((_, row) => [row]),
    9,
  ),
  top: [...cosines.keys()],
  index: {
    search(vectors: Float32Array[], depth: number) {
      expect([vectors, depth]).toEqual([[vector], cosines.length])
      expect(depth).toBeGreaterThan(0)
      return [rankingOf(...[...cosines.entries()].sort((a, b) => b[1] - a[1]))]
    },
  },
})

test('the chunks that the way down the tree reaches are ranked by cosine, those of the filter alone', () => {
  const cosines = [0.1, 0.9, 0.5, 0.7]
  const dense = { cosines: (rows: readonly number[]) => rows.map((row) => cosines[row]) }
  const ranked = (chunks: number[], depth: number, mask?: Mask) => {
    const [{ rows, scores }] = outputsOf(rankSummaries, [[vector, { chunks }, mask]], { depth }, { dense })
    return [Array.from(rows), Array.from(scores)]
  }
  expect(ranked([0, 1, 3], 5)).toEqual([
    [1, 3, 0],
    [0.9, 0.7, 0.1],
  ])
  expect(ranked([0, 1, 3], 2)[0]).toEqual([1, 3])
  expect(ranked([], 5)).toEqual([[], []])
  const mask = { kept: Uint8Array.of(1, 0, 1, 1) } as unknown as Mask
  expect(ranked([0, 1, 3], 5, mask)[0]).toEqual([3, 0])
})

test.each([
  ['a tree without summaries has none', [], 3, []],
  ['a tree of one summary', [0.5], 3, [0]],
  ['the best first', [0.5, 0.7], 3, [1, 0]],
  ['a dense ranking of its full depth ends the list, as others may follow', [0.5, 0.7], 2, [1]],
])('the summaries among the best nodes: %s', (_, cosines, depth, rows) => {
  const chunks = Array.from({ length: 9 }, () => ({ tokens: 10 }))
  const dense = rankingOf([0, 0.9], [1, 0.6])
  const artifacts = { tree: treeOf(...cosines), chunks }
  const [read] = outputsOf(collapseTree, [[vector, dense]], { tokens: 100, depth }, artifacts)
  expect([...read.summaries.rows]).toEqual(rows)
})
