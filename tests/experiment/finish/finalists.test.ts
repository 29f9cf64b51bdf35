import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { familyOf } from '../../../src/experiment/finish/compare-rows.ts'
import { chooseFinalists, type FinalistCandidate } from '../../../src/experiment/finish/rows.ts'
import { MAX_FINALISTS } from '../../../src/experiment/plan/plan.ts'

/** Few values, so that many are equal; mostly more than there is room for. */
const candidates = fc
  .array(
    fc.record({
      strategy: fc.constantFrom('bm25', 'naive', 'hybrid'),
      quality: fc.integer({ min: 0, max: 5 }),
      tokens: fc.integer({ min: 1, max: 30 }),
    }),
    { minLength: 1, maxLength: 40, size: 'max' },
  )
  .map((all) => all.map((one, place): FinalistCandidate => ({ ...one, id: `t${place}` })))

/** Better than another: more quality, or the same and earlier. */
const byQuality = (all: readonly FinalistCandidate[]) => (a: number, b: number) =>
  all[b].quality - all[a].quality || a - b

describe('finalists', () => {
  test('are the baseline, the best of each strategy, the front and then the best, while there is room', () => {
    fc.assert(
      fc.property(candidates, fc.nat(39), (all, at) => {
        const baseline = at % all.length
        const chosen = chooseFinalists(all, `t${baseline}`)
        const order = [...all.keys()].sort(byQuality(all))
        const best = [...new Set(all.map(({ strategy }) => strategy))].map(
          (strategy) => order.find((place) => all[place].strategy === strategy) as number,
        )
        // Nobody stands before one of the front at as few tokens or fewer.
        const front = order.filter((place, rank) =>
          order.slice(0, rank).every((other) => all[other].tokens > all[place].tokens),
        )
        best.sort(byQuality(all))
        const wanted = [...new Set([baseline, ...best, ...front, ...order])].slice(0, MAX_FINALISTS)
        expect(chosen).toEqual(wanted.sort((a, b) => a - b))
      }),
    )
  })
})

describe('a family', () => {
  const compare = { by: 'mrr', level: 0.05, correction: 'max-t', draws: 10, seed: 0, baseline: 't0' } as const
  const families = ['best', 'all', 'pairs'] as const
  const one = (
    all: readonly FinalistCandidate[],
    family: (typeof families)[number],
    better: 'higher' | 'lower',
  ) => familyOf(all, 't0', { ...compare, family } as never, better)

  test('all: every row and the baseline; pairs: every two of the best twenty, the better one as baseline', () => {
    fc.assert(
      fc.property(candidates, fc.constantFrom('higher' as const, 'lower' as const), (all, better) => {
        const { members, family } = one(all, 'all', better)
        expect(members).toEqual(all)
        expect(family).toEqual(all.slice(1).map(({ id }) => ({ name: id, baseline: 't0' })))

        const pairs = one(all, 'pairs', better)
        const order = [...all].sort((a, b) =>
          better === 'higher' ? b.quality - a.quality : a.quality - b.quality,
        )
        const top = order.slice(0, 20)
        const names = all.map(({ id }) => id)
        expect(pairs.members).toEqual(top)
        if (all.length > 20)
          for (const pair of pairs.family) expect(pair).toMatchObject({ names, baselines: names })
        expect(pairs.family.map(({ name, baseline }) => ({ name, baseline }))).toEqual(
          top.flatMap((a, at) => top.slice(at + 1).map((b) => ({ name: b.id, baseline: a.id }))),
        )
      }),
    )
  })
})
