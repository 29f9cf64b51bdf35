import { expect, test } from 'vitest'
import { incidenceOf } from '../../../src/corpus/graph/csr.ts'
import type { Mask } from '../../../src/ranking/mask.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import { searchWithin } from '../../../src/retrieve/steps/filter.ts'
import {
  citeSummaries,
  collapseTree,
  descendTree,
  rankSummaries,
} from '../../../src/retrieve/strategies/raptor.ts'
import { outputsOf, recipe, retrieved } from './prepared.ts'

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

test('the way down takes the best summaries and their chunks; they are cited by layer and row', () => {
  const artifacts = { tree: treeOf(0.5, 0.9, 0.7) }
  const [read] = outputsOf(descendTree, [[vector]], { nodes: 2 }, artifacts)
  expect([[...read.summaries.rows], read.chunks]).toEqual([
    [1, 2],
    [1, 2],
  ])
  expect(outputsOf(citeSummaries, [[read]], null, artifacts)[0]).toEqual([
    { kind: 'summary', id: 'layer 1, 1', text: 'S1', tokens: 5 },
    { kind: 'summary', id: 'layer 1, 2', text: 'S2', tokens: 5 },
  ])
})

test('it lifts chunks by default, and is dense search otherwise; a traversal falls back to it', () => {
  const query = sourceQuery(recipe)
  const rankingBy = (given: object) => retrieved('raptor', given).ranking
  const dense = retrieved('naive').ranking
  expect(rankingBy({}).step.name).toBe('lift-chunks')
  const among = searchWithin(query as never, 'corpus')
  expect(among(rankingBy({})).inputs).toHaveLength(rankingBy({}).inputs.length + 1)
  expect(rankingBy({ lift: false }).key).toBe(dense.key)
  const traversal = rankingBy({ search: 'traversal' })
  const reached = traversal.inputs.find(({ step }) => step.name === 'rank-reached')
  expect(reached?.inputs).toHaveLength(2)
  // Both search among the chunks of a filter.
  expect(among(reached as never).inputs).toHaveLength(3)
})
