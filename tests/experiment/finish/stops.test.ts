import { expect, test } from 'vitest'
import { describeRace, describeStop, outcomeOf, ranWhole } from '../../../src/experiment/finish/stops.ts'

const RACE = { level: 0.05, firstTest: 4, blocks: null, locations: {} }
/** Rounds end after 4, 6 and 8 queries. */
const SHARDS = [
  { round: 0, begin: 0, end: 2 },
  { round: 0, begin: 2, end: 4 },
  { round: 1, begin: 4, end: 6 },
  { round: 2, begin: 6, end: 8 },
]
const session = (experiment: object = {}, more: object = {}) =>
  ({
    plan: { experiment: { race: RACE, tuning: { kind: 'none' }, ...experiment } },
    ...{ shards: SHARDS, trials: [{ id: 't0' }, { id: 't1' }, { id: 't2' }] },
    ...more,
  }) as never
const trials = ['hybrid', 'bm25', 'naive', 'bm25'].map((strategy) => ({
  strategy,
  before: [],
  after: [],
})) as never
const merged = { ran: Int32Array.of(8, 4, 6, 8), queries: 8 } as never

test('a race is described by its rounds and the share of its work', () => {
  expect(describeRace(session(), merged, trials, [])).toEqual({
    ...{ level: 0.05, firstTest: 4, blocks: null },
    rounds: [
      { queries: 4, trials: 4 },
      { queries: 6, trials: 3 },
      { queries: 8, trials: 2 },
    ],
    ...{ share: 26 / 32, untuned: [] },
  })
  expect(describeRace(session({ race: null }), merged, trials, [])).toBeNull()
  expect([0, 1, 2].map((trial) => ranWhole(merged, trial))).toEqual([true, false, false])
})

test('strategies without a tuned row are named, in order', () => {
  const folds = session({ tuning: { kind: 'folds', folds: 2 } })
  expect(describeRace(folds, merged, trials, [{ strategy: 'naive' }])?.untuned).toEqual(['bm25', 'hybrid'])
})

test('a stopped trial has its difference to the leader, over the queries of both', () => {
  const values = [
    Float64Array.of(1, 0.5, 0.25, 1),
    Float64Array.of(0.5, Number.NaN, 0.25, Number.NaN),
    Float64Array.of(0, 0, 0, 0),
  ]
  const outcome = { stopped: new Map([[1, { after: 4, leader: 0 }]]) } as never
  const stopOf = (trial: number) => describeStop(session(), outcome, trial, (of) => values[of])
  expect(stopOf(1)).toEqual({ after: 4, by: 't0', difference: { mean: -0.25, n: 2 } })
  expect(stopOf(2)).toBeUndefined()
})

test('the outcome is read after the last round; there is none without a race or a shard', async () => {
  const asked: number[] = []
  const racing = {
    async running(round: number) {
      await Promise.resolve()
      asked.push(round)
    },
    outcome: () => `after round ${asked}`,
  }
  expect(await outcomeOf(session({}, { racing }))).toBe('after round 2')
  expect(asked).toEqual([2])
  expect(await outcomeOf(session())).toBeNull()
  expect(await outcomeOf(session({}, { racing, shards: [] }))).toBeNull()
})
