import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitRouter, type RouterInput } from '../../src/experiment/finish/fit-router.ts'

const world = fc
  .record({ arms: fc.integer({ min: 2, max: 3 }), features: fc.integer({ min: 1, max: 4 }) })
  .chain(({ arms, features }) =>
    fc.array(
      fc.record({
        row: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: features, maxLength: features }),
        values: fc.array(fc.constantFrom(0, 0.5, 1), { minLength: arms, maxLength: arms }),
        part: fc.integer({ min: 0, max: 2 }),
        counts: fc.constantFrom(true, true, true, false),
      }),
      { minLength: 9, maxLength: 40 },
    ),
  )

type World = typeof world extends fc.Arbitrary<infer T> ? T : never

function inputOf(queries: World, kind: 'folds' | 'split' = 'folds'): RouterInput {
  return {
    features: queries.map(({ row }) => row),
    values: queries[0].values.map((_, arm) =>
      Float64Array.from(queries, ({ values, counts }) => (counts ? values[arm] : Number.NaN)),
    ),
    parts: Uint8Array.from(queries, ({ part }) => (kind === 'split' ? Number(part > 0) : part)),
    kind,
    better: 'higher',
  }
}

describe('no leakage', () => {
  const kinds = fc.constantFrom('folds' as const, 'split' as const)

  test('what a fold scores, and whether it counts, changes nothing of what is chosen in it', () => {
    fc.assert(
      fc.property(
        world,
        kinds,
        fc.infiniteStream(fc.constantFrom(0, 0.5, 1, Number.NaN)),
        (queries, kind, others) => {
          const input = inputOf(queries, kind)
          const changed = kind === 'split' ? 1 : queries[0].part
          const values = input.values.map((arm) =>
            arm.map((value, query) =>
              input.parts[query] === changed ? (others.next().value as number) : value,
            ),
          )
          const [before, after] = [input, { ...input, values }].map(fitRouter)
          for (const [query, part] of input.parts.entries())
            if (part === changed) expect(after.picked[query]).toBe(before.picked[query])
        },
      ),
    )
  })

  test('what is known of one query changes nothing of what is chosen for the others of its fold', () => {
    fc.assert(
      fc.property(
        world,
        fc.array(fc.integer({ min: -99, max: 99 }), { minLength: 4, maxLength: 4 }),
        (queries, row) => {
          const input = inputOf(queries)
          const features = input.features.map((feature, query) =>
            query === 0 ? row.slice(0, feature.length) : feature,
          )
          const [before, after] = [input, { ...input, features }].map(fitRouter)
          for (const [query, part] of input.parts.entries())
            if (query > 0 && part === input.parts[0]) expect(after.picked[query]).toBe(before.picked[query])
        },
      ),
    )
  })
})

test('queries that do not count are left out of the fit, and of a split nobody is chosen for on dev', () => {
  fc.assert(
    fc.property(world, (queries) => {
      const input = inputOf(queries, 'split')
      const { picked, features } = fitRouter(input)
      expect(features).toHaveLength(1)
      expect([...picked].map((arm) => arm >= 0)).toEqual([...input.parts].map((part) => part === 1))
      // The same without the dev queries that do not count.
      const kept = queries.filter(({ counts, part }) => counts || part > 0)
      if (kept.length === 0) return
      const again = fitRouter(inputOf(kept, 'split')).picked.filter((arm) => arm >= 0)
      expect([...again]).toEqual([...picked.filter((arm) => arm >= 0)])
    }),
  )
})

/** Names make the first arm right, numbers the second; the third feature is noise. */
function separable(n: number, tells: boolean): RouterInput {
  const kinds = Array.from({ length: n }, (_, query) => (query * 7) % 3 === 0)
  return {
    features: kinds.map((kind, query) => [tells && kind ? 1 : 0, (query * 13) % 5]),
    values: [kinds, kinds.map((kind) => !kind)].map((flags) => Float64Array.from(flags, Number)),
    parts: Uint8Array.from(kinds, (_, query) => query % 5),
    kind: 'folds',
    better: 'higher',
  }
}

test('where a feature tells who is right, the right arm is taken by it', () => {
  const input = separable(60, true)
  const { picked, features, optimism } = fitRouter(input)
  expect([...picked]).toEqual([...input.values[0]].map((right) => (right === 1 ? 0 : 1)))
  expect(features).toEqual([0, 0, 0, 0, 0])
  expect(optimism).toBe(0)
})

test('a kind of question takes its own best arm, where it has enough queries that say so', () => {
  const kinds = Array.from({ length: 60 }, (_, query) => query % 3)
  const right = [(kind: number) => kind === 0, (kind: number) => kind === 1, () => false]
  const input: RouterInput = {
    features: kinds.map((kind) => [kind]),
    nominal: true,
    // The third kind is nobody's: it takes the best single arm.
    values: right.map((of) => Float64Array.from(kinds, (kind) => (of(kind) ? 1 : kind === 2 ? 0.2 : 0))),
    parts: Uint8Array.from(kinds, (_, query) => Math.floor(query / 3) % 5),
    kind: 'folds',
    better: 'higher',
  }
  const { picked, features } = fitRouter(input)
  expect([...picked]).toEqual(kinds.map((kind) => (kind === 1 ? 1 : 0)))
  expect(features).toEqual([0, 0, 0, 0, 0])
  const alike = fitRouter({ ...input, values: input.values.map(() => new Float64Array(60).fill(0.5)) })
  expect(new Set(alike.picked)).toEqual(new Set([0]))
  expect(alike.features).toEqual([null, null, null, null, null])
})
