import { expect, test } from 'vitest'
import { buildCsr } from '../../../src/corpus/graph/csr.ts'
import { createWalk, type Reset } from '../../../src/corpus/graph/pagerank.ts'
import { hippoReset, phraseWeights } from '../../../src/retrieve/strategies/hipporag/reset.ts'
import {
  linkFacts,
  passagesOfFacts,
  requireCoverage,
  walkHippo,
  weighSpecificity,
} from '../../../src/retrieve/strategies/hipporag/steps.ts'
import { hipporag } from '../../../src/retrieve/strategies/hipporag/strategy.ts'
import type { Ranking } from '../../../src/types.ts'
import { temporaryFolder } from '../../temporary.ts'
import { outputsOf } from './prepared.ts'

const rankingOf = (...pairs: [row: number, score: number][]) => ({
  rows: Uint32Array.from(pairs, ([row]) => row),
  scores: Float64Array.from(pairs, ([, score]) => score),
})
const plain = ({ rows, scores }: Ranking) => [[...rows], [...scores]]
const weighed = ({ nodes, weights }: Reset) => [Array.from(nodes), Array.from(weights)]
const vector = Float32Array.of(1)

test('facts score by the lowest and the highest cosine of all facts; a query of no known word links none', () => {
  const found = [
    { ranking: rankingOf([7, 0.9], [3, 0.5]), min: 0.1 },
    { ranking: rankingOf(), min: 0.1 },
    { ranking: rankingOf([4, 0.5]), min: 0.5 },
  ]
  const index = {
    searchWithMin(vectors: Float32Array[], facts: number) {
      expect([vectors.length, facts]).toEqual([3, 2])
      return found
    },
  }
  const linked = outputsOf(linkFacts, [[vector], [vector], [vector]], { facts: 2 }, { index })
  expect(linked.map(plain)).toEqual([
    [
      [7, 3],
      [1, expect.closeTo(0.5, 12)],
    ],
    [[], []],
    [[4], [1]],
  ])
})

test('a phrase weighs the mean of its facts, shared by its passages; the best are kept, of equals the first', () => {
  const table = { subjects: Uint32Array.of(0, 2, 4), objects: Uint32Array.of(1, 0, 3) }
  const facts = rankingOf([0, 1], [1, 0.5], [2, 0.25])
  // Phrase 0 is in two facts and two passages: (1 / 2 + 0.5 / 2) / 2. Phrase 3 is in no passage.
  const passages = Uint32Array.of(2, 4, 1, 0, 1)
  const weights = (keep: number) => weighed(phraseWeights(facts, table, passages, keep))
  expect(weights(9)).toEqual([
    [2, 0, 1, 3, 4],
    [0.5, 0.375, 0.25, 0.25, 0.25],
  ])
  expect(weights(3)[0]).toEqual([2, 0, 1])
})

test('passages start with a little of their cosine, behind the phrases', () => {
  const reset = hippoReset(
    { nodes: Uint32Array.of(3), weights: Float64Array.of(0.5) },
    [0.2, 0.6, 0.4],
    0.5,
    9,
  )
  expect(weighed(reset)).toEqual([
    [3, 9, 10, 11],
    [0.5, 0, 0.5, expect.closeTo(0.25, 12)],
  ])
})

test('names weigh less the more passages hold them', () => {
  const graph = { passagesPerPhrase: Uint32Array.of(0, 4, 1) }
  const [reset] = outputsOf(weighSpecificity, [[{ rows: Uint32Array.of(1, 0, 2) }]], null, { graph })
  expect(weighed(reset)).toEqual([
    [1, 0, 2],
    [0.25, 1, 1],
  ])
})

/** A graph of phrases and passages: an edge from each phrase to its passages. */
function graphOf(passagesOf: readonly (readonly number[])[], passages: number) {
  const phrases = passagesOf.length
  const edges = passagesOf.flatMap((list, phrase) => list.map((row) => [phrase, phrases + row]))
  const { csr } = buildCsr(phrases + passages, {
    sources: Uint32Array.from(edges, ([phrase]) => phrase),
    targets: Uint32Array.from(edges, ([, passage]) => passage),
    weights: Float64Array.from(edges, () => 1),
  })
  return {
    phrases,
    walk: createWalk(csr),
    passagesPerPhrase: Uint32Array.from(passagesOf, (one) => one.length),
  }
}

test.each([
  ['half of the passages', [0, 1, 2], [0, 1, 2, 3, 4, 5], true],
  ['fewer than half', [0, 1], [0, 1, 2, 3, 4], false],
  ['half of the nearest 20, whatever the others', [...Array(10).keys()], [...Array(30).keys()], true],
  ['nine of the nearest 20, and all others', [0, 1, 2, 3, 4, 5, 6, 7, 8, 20], [...Array(21).keys()], false],
])(
  'facts stay linked if half of the nearest passages hold a phrase of one: %s',
  (_, held, nearest, stays) => {
    const linked = rankingOf([0, 1])
    const dense = rankingOf(...nearest.map((row): [number, number] => [row, 1 - row / 100]))
    const [facts] = outputsOf(requireCoverage, [[linked, dense]], null, { covered: new Set(held) })
    expect([...facts.rows]).toEqual(stays ? [0] : [])
  },
)

test('titles put a passage into the graph, only phrases of facts cover it', () => {
  const graph = graphOf([[0, 1], [2], [3, 4]], 5)
  const facts = { subjects: Uint32Array.of(0, 0), objects: Uint32Array.of(1, 0) }
  expect([...passagesOfFacts(graph, facts)]).toEqual([0, 1, 2])
})

test('a walk begins at the phrases and ranks passages, those of the filter alone; without phrases it finds none', () => {
  const graph = graphOf([[0], [1, 2]], 3)
  const asked: number[] = []
  const dense = {
    scores(vectors: Float32Array[]) {
      asked.push(...vectors.map(([x]) => x))
      return vectors.map(() => [0.5, 0.5, 0.5])
    },
  }
  const start = (...nodes: number[]) => ({
    nodes: Uint32Array.from(nodes),
    weights: Float64Array.from(nodes, () => 1),
  })
  const block = [
    [start(), Float32Array.of(7), undefined],
    [start(0), Float32Array.of(8), undefined],
    [start(1), Float32Array.of(9), { kept: Uint8Array.of(1, 0, 1) }],
  ]
  const params = { damping: 0.5, passageWeight: 0, depth: 3 }
  const found = outputsOf(walkHippo, block, params, { graph, dense })
  expect(found.map(({ rows }) => [...rows])).toEqual([[], [0, 2, 1], [2, 0]])
  expect(found[1].scores[0]).toBeGreaterThan(0)
  expect([...found[1].scores.slice(1)]).toEqual([0, 0])
  expect(asked).toEqual([8, 9])
})

test('the names that another program found are part of the key by their content', () => {
  const hashesOf = (text: string) => {
    const names = `${temporaryFolder({ 'names.jsonl': text })}/names.jsonl`
    return hipporag.files?.(hipporag.params.parse({ variant: 'v1', names }))
  }
  const line = (text: string) => `${JSON.stringify({ text, names: ['Lomm'] })}\n`
  const [one, again, other] = [line('Who?'), line('Who?'), line('Why?')].map(hashesOf)
  expect(one).toEqual({ names: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(again).toEqual(one)
  expect(other).not.toEqual(one)
  expect(hipporag.files?.(hipporag.params.parse({ variant: 'v1' }))).toEqual({})
})
