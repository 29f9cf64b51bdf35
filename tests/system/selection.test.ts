import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { errorRates } from '../../simulations/compare-grid.ts'
import { nullGrid } from '../../simulations/null-grids.ts'
import { type CompareInput, compareTrials } from '../../src/statistics/compare.ts'
import { createRandom } from '../../src/statistics/random.ts'

const how = { level: 0.05, correction: 'max-t', draws: 512, seed: 1, better: 'higher' } as const

describe('the test in which each side chooses again', () => {
  const rows = ['base', 'a0', 'a1', 'a2', 'b0', 'b1']
  const lists = { a: ['a0', 'a1', 'a2'], b: ['b0', 'b1'] }

  test('is what an enumeration of all flips says, in words', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
        const { below } = createRandom(seed)
        const values = new Map(rows.map((name) => [name, Array.from({ length: 8 }, () => below(7) / 2)]))
        const difference = (one: string, other: string) =>
          Array.from(
            { length: 8 },
            (_, query) => (values.get(one)?.[query] ?? 0) - (values.get(other)?.[query] ?? 0),
          )
        const score = (own: number[], signs: number) => {
          const sum = own.reduce((all, one, query) => all + (signs & (1 << query) ? -one : one), 0)
          const norm = Math.hypot(...own)
          return norm === 0 ? 0 : sum / norm
        }
        const family = [
          { name: 'a1', baseline: 'base', names: lists.a },
          { name: 'b0', baseline: 'base', names: lists.b },
        ]
        const observed = family.map(({ name }) => Math.abs(score(difference(name, 'base'), 0)))
        const reached = Array.from({ length: 256 }, (_, signs) =>
          family.map(({ name, names }) =>
            Math.max(
              ...names.map((one) => score(difference(one, 'base'), signs)),
              score(difference('base', name), signs),
            ),
          ),
        )
        const share = (holds: (draw: number[]) => boolean) => reached.filter(holds).length / 256
        const [more, less] = observed[0] >= observed[1] ? [0, 1] : [1, 0]
        const first = share((draw) => Math.max(...draw) >= observed[more] - 1e-9)
        const second = share((draw) => draw[less] >= observed[less] - 1e-9)
        const compared = compareTrials({
          names: rows,
          matrix: rows.map((name) => Float64Array.from(values.get(name) ?? [])),
          family,
          ...how,
        })
        expect(compared[more].adjusted).toBeCloseTo(first, 12)
        expect(compared[less].adjusted).toBeCloseTo(Math.max(first, second), 12)
        compared.forEach(({ p }, at) => {
          expect(p).toBeCloseTo(
            share((draw) => draw[at] >= observed[at] - 1e-9),
            12,
          )
        })
      }),
      { numRuns: 50 },
    )
  })

  test('finds a large difference in a family of any size, with few draws', () => {
    const { names, matrix } = nullGrid([1, 600], 'normal', 40, 1)
    const better = matrix.with(
      600,
      matrix[0].map((value) => value + 0.9 + value / 10),
    )
    const family = names.slice(1).map((name) => ({ name, baseline: names[0] }))
    const input: CompareInput = { names, matrix: better, family, ...how, draws: 200 }
    expect(compareTrials(input)[599]).toMatchObject({ verdict: 'better', adjusted: 1 / 201 })
    expect(compareTrials({ ...input, correction: 'holm' })[599].verdict).toBe('cannot tell')
  })

  test('a dreadful trial beside does not hide the choice among the others', () => {
    const dreadful = (seed: number) => {
      const { names, strategies, matrix } = nullGrid([1, 20], 'normal', 60, seed)
      return {
        names,
        strategies,
        matrix: matrix.map((row, at) => (at > 15 ? row.map((value) => value / 9) : row)),
      }
    }
    const { found } = errorRates(150, dreadful, 'no folds')
    // 5 % and three standard errors.
    expect(found).toBeLessThanOrEqual(0.105)
  })
})

test.each(['no folds', '5 folds'] as const)('without a true difference little is found, %s', (folds) => {
  const { found, leader } = errorRates(150, (seed) => nullGrid([1, 40, 5], 'ties', 60, seed), folds)
  expect(found).toBeLessThanOrEqual(0.105)
  expect(leader).toBeGreaterThan(0.89)
})

test('verdict and interval never contradict each other', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1e6 }),
      fc.constantFrom('max-t', 'holm', 'none'),
      (seed, correction) => {
        const { names, matrix } = nullGrid([1, 2, 2], 'skew', 30, seed)
        const moved = matrix.map((row, at) => row.map((value) => value + at * 0.02))
        const family = names.slice(1).map((name) => ({ name, baseline: names[0] }))
        for (const { low, high, verdict } of compareTrials({
          names,
          matrix: moved,
          family,
          ...how,
          correction: correction as 'max-t',
        }))
          if (verdict === 'better') expect(low).toBeGreaterThanOrEqual(0)
          else if (verdict === 'worse') expect(high).toBeLessThanOrEqual(0)
          else expect(low <= 0 && high >= 0).toBe(true)
      },
    ),
    { numRuns: 40 },
  )
})
