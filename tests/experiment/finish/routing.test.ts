import { expect, test } from 'vitest'
import type { Recipe } from '../../../src/corpus/recipe.ts'
import type { Merged } from '../../../src/experiment/finish/merge.ts'
import { describeRouting, type HeldOut, routersOf } from '../../../src/experiment/finish/routing.ts'
import type { CompiledTrial } from '../../../src/experiment/plan/compile.ts'
import { parseMeasure } from '../../../src/metrics/parse.ts'
import { defineStep, sourceQuery } from '../../../src/retrieve/step.ts'
import type { Query, Ranking } from '../../../src/types.ts'

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
const describeIt = (held: HeldOut | null) => {
  const valuesOf = (trial: number) => VALUES[trial]
  const [found] = routersOf(trials, merged, valuesOf)
  return describeRouting(found, { trials, primary: parseMeasure('hit@5'), valuesOf, held, level: 0.05 })
}

test('without folds the best arm is read off all queries, and says so', () => {
  expect(describeIt(null)).toMatchObject({
    best: { name: 'b', mean: 4 / 6, heldOut: false },
    mean: 3 / 6,
    oracle: 5 / 6,
  })
})

test('the share of the headroom is of the best single arm as it is scored: held out or not', () => {
  const { share } = describeIt(null)
  expect(share).toMatchObject({ low: null, n: 6, level: 0.05 })
  expect(share?.value).toBeCloseTo((3 - 4) / (5 - 4), 12)
  // The arm that is chosen on other folds finds 2 of 6.
  expect(describeIt({ kind: 'folds', parts }).share?.value).toBeCloseTo((3 - 2) / (5 - 2), 12)
  const split = Uint8Array.from([0, 0, 0, 1, 1, 1])
  expect(describeIt({ kind: 'split', parts: split }).share).toMatchObject({ value: 1, n: 3 })
})

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

test('a router behind transforms is compared with its arms behind the same', () => {
  const source = sourceQuery({} as Recipe)
  const step = (name: string) =>
    defineStep<null, [...unknown[]], Ranking>({
      name,
      version: 1,
      run: () => ({ rows: new Uint32Array(0), scores: new Float64Array(0) }),
    })
  const [one, two, cut] = ['one', 'two', 'cut'].map((name) => step(name))
  const choose = defineStep<string[], [Query], string>({
    name: 'route',
    version: 1,
    run: () => 'one',
    arms: (names) => names,
    facts: (name) => ({ arm: name }),
  })([source], ['one', 'two'])
  const pick = defineStep<null, [string, ...Ranking[]], Ranking>({
    name: 'choose',
    version: 1,
    pick: () => 0,
  })
  const [first, second] = [one([source], null), two([source], null)]
  const whole = cut([pick([choose, first, second], null)], null)
  // The last two: an arm without the transform, and a fusion that has a router as one of its inputs.
  const rankings = [whole, cut([second], null), cut([first], null), first, cut([whole, first], null)]
  const given = rankings.map((ranking, place) => ({
    id: `t${place}`,
    name: `t${place}`,
    ranking,
    strategy: place === 0 ? 'router' : 'hybrid',
  })) as unknown as CompiledTrial[]
  const found = routersOf(given, merged, () => VALUES[0])
  expect(found.map(({ id, arms }) => [id, arms])).toEqual([
    [
      't0',
      [
        { name: 'one', trial: 2 },
        { name: 'two', trial: 1 },
      ],
    ],
  ])
  // Without the arm's trial it is missing, and the bare arm does not stand in for it.
  const without = given.map((trial) => (trial.id === 't2' ? { ...trial, ranking: second } : trial))
  expect(routersOf(without, merged, () => VALUES[0])[0].arms[0].trial).toBe(-1)
})
