import { expect, test } from 'vitest'
import { averageSeeds, type Merged } from '../../../src/experiment/finish/merge.ts'
import type { CompiledTrial } from '../../../src/experiment/plan/compile.ts'

/** Two trials of two queries, the second one with three seeds: cells are (trial, query), the other seeds after the trials. */
const ROWS = [{ seeds: [] }, { seeds: [{}, {}] as CompiledTrial[] }]
const failure = (trial: number, query: number, message: string) => ({ trial, query, step: 's', message })
const merged = (): Merged => ({
  trials: 4,
  queries: 2,
  values: [Float64Array.of(1, 2, 3, 4, 6, 7, 9, 10), Float64Array.of(1, 1, 0, Number.NaN, 0, 1, 1, 1)],
  worst: Float64Array.of(0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.9, 1),
  best: Float64Array.of(1.1, 1.2, 1.3, 1.4, 2.3, 1.7, 3.3, 2.3),
  retrieved: new Int32Array(8),
  tokens: Int32Array.of(0, 0, 7, 7, 8, 8, 9, 9),
  evidenceTokens: new Int32Array(8),
  counters: [{ calls: 5 }, { calls: 3 }, { calls: 6, linked: 3 }, { calls: 0 }],
  arms: new Map([
    [1, ['a', 'b']],
    [2, ['b', 'b']],
  ]),
  fallbacks: [new Map(), new Map(), new Map(), new Map()],
  failures: [failure(0, 1, 'own'), failure(2, 0, 'early'), failure(2, 1, 'other'), failure(3, 0, 'late')],
  labelOffsets: Int32Array.of(0, 1, 2),
  ranks: Int32Array.of(1, 2, 3, 4, 5, 6, 7, 8),
  scores: new Float64Array(8),
  stages: new Uint8Array(8),
  channels: new Uint8Array(8),
  computed: {},
})

test('values and both bounds under ties are means over the seeds; the rest is of the first', () => {
  const { trials, values, worst, best, tokens, ranks, arms, counters } = averageSeeds(merged(), ROWS)
  expect(trials).toBe(2)
  expect([...values[0]]).toEqual([1, 2, (3 + 6 + 9) / 3, (4 + 7 + 10) / 3])
  expect([...values[1]]).toEqual([1, 1, 1 / 3, Number.NaN])
  const close = (numbers: number[]) => numbers.map((number) => expect.closeTo(number, 12))
  expect([...worst]).toEqual(close([0.1, 0.2, 0.6, 0.7]))
  expect([...best]).toEqual(close([1.1, 1.2, (1.3 + 2.3 + 3.3) / 3, (1.4 + 1.7 + 2.3) / 3]))
  expect([...tokens]).toEqual([0, 0, 7, 7])
  expect([...ranks]).toEqual([1, 2, 3, 4])
  expect([...arms]).toEqual([[1, ['a', 'b']]])
  expect(counters).toEqual([{ calls: 5 }, { calls: 3, linked: 1 }])
})

test('a query that failed with several seeds has failed once, by the first of them', () => {
  expect(
    averageSeeds(merged(), ROWS).failures.map(({ trial, query, message }) => [trial, query, message]),
  ).toEqual([
    [0, 1, 'own'],
    [1, 0, 'early'],
    [1, 1, 'other'],
  ])
})
