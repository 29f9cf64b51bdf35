import { expect, test } from 'vitest'
import type { Merged } from '../../../src/experiment/finish/merge.ts'
import { describeRouting, type HeldOut, routersOf } from '../../../src/experiment/finish/routing.ts'
import type { CompiledTrial } from '../../../src/experiment/plan/compile.ts'
import { parseMeasure } from '../../../src/metrics/parse.ts'

/** A router over the arms a and b, and a trial for each. */
const [a, b] = ['a', 'b'].map((key) => ({ key, step: { name: key }, inputs: [] }))
const route = {
  key: 'route',
  step: { name: 'route', arms: ({ arms }: { arms: string[] }) => arms },
  params: { arms: ['a', 'b'] },
  inputs: [],
}
const router = { key: 'router', step: { name: 'router', pick: () => 0 }, inputs: [route, a, b] }
const trials = [router, a, b].map((ranking, place) => ({
  id: `t${place}`,
  name: `t${place}`,
  ranking,
})) as unknown as CompiledTrial[]

/** On the fold 0 a is better by little, on 1 and 2 b is better by much, or the other way round. */
const VALUES = [
  [1, 0, 0, 1, 0, 1],
  [1, 1, 0, 0, 0, 0],
  [0, 1, 1, 1, 1, 0],
].map((row) => Float64Array.from(row))
const merged = { queries: 6, arms: new Map([[0, ['a', 'a', 'a', 'b', 'a', 'b']]]) } as unknown as Merged
const parts = Uint8Array.from([0, 0, 1, 1, 2, 2])
const describeIt = (heldOut: HeldOut | null) => {
  const valuesOf = (trial: number) => VALUES[trial]
  const [router] = routersOf(trials, merged, valuesOf)
  return describeRouting(router, {
    trials,
    primary: parseMeasure('hit@5'),
    valuesOf,
    held: heldOut,
    level: 0.05,
  })
}

test('who was right: of arms that tie the one that was taken, else the best', () => {
  const { tied, confusion, arms, missing } = describeIt(null)
  // The second query and the last are equal for both arms.
  expect(tied).toBe(2 / 6)
  expect(confusion).toEqual([
    [2, 2],
    [0, 2],
  ])
  expect([arms, missing]).toEqual([
    [
      { name: 'a', trial: 't1', chosen: 4 },
      { name: 'b', trial: 't2', chosen: 2 },
    ],
    [],
  ])
})

test('with folds the best single arm is chosen on the other folds: nobody is measured on what he was chosen by', () => {
  // Fold 0 is scored by the best of folds 1 and 2 (b: 1/2); fold 1 by that of 0 and 2 (a and b tie: a, 0), fold 2 by
  // that of 0 and 1 (b has 3 of 4: 1/2).
  const { best, mean, oracle } = describeIt({ kind: 'folds', parts })
  expect(best).toEqual({ name: 'b', mean: (0 + 1 + 0 + 0 + 1 + 0) / 6, heldOut: true })
  expect([mean, oracle]).toEqual([3 / 6, 5 / 6])
})
