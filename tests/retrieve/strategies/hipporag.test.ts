import { expect, test } from 'vitest'
import { buildCsr } from '../../../src/corpus/graph/csr.ts'
import { createWalk } from '../../../src/corpus/graph/pagerank.ts'
import { requireCoverage, walkHippo } from '../../../src/retrieve/steps/hipporag.ts'
import hipporagV1 from '../../../src/retrieve/strategies/hipporag-v1.ts'
import { temporaryFolder } from '../../temporary.ts'
import { outputsOf } from './prepared.ts'

const rankingOf = (...pairs: [row: number, score: number][]) => ({
  rows: Uint32Array.from(pairs, ([row]) => row),
  scores: Float64Array.from(pairs, ([, score]) => score),
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
    return hipporagV1.files?.(hipporagV1.params.parse({ names }))
  }
  const line = (text: string) => `${JSON.stringify({ text, names: ['Lomm'] })}\n`
  const [one, again, other] = [line('Who?'), line('Who?'), line('Why?')].map(hashesOf)
  expect(one).toEqual({ names: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(again).toEqual(one)
  expect(other).not.toEqual(one)
  expect(hipporagV1.files?.(hipporagV1.params.parse({}))).toEqual({})
})
