import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expandGrid, readAxis } from '../../src/config/grid.ts'
import type { Problem } from '../../src/config/reading.ts'

const axis = fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 4 })
const grid = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), axis, { minKeys: 1 })

describe('a grid', () => {
  test('has every combination once, the first axis slowest', () => {
    fc.assert(
      fc.property(grid, (raw) => {
        const points = expandGrid({ fixed: 1, grid: raw }, ['t'], [])
        let expected: Record<string, number>[] = [{ fixed: 1 }]
        for (const [name, values] of Object.entries(raw))
          expected = expected.flatMap((point) => values.map((value) => ({ ...point, [name]: value })))
        expect(points.map(({ params }) => params)).toEqual(expected)
        const varied = Object.keys(raw).filter((name) => raw[name].length > 1)
        for (const point of points) expect([...point.varied].sort()).toEqual(varied.sort())
      }),
    )
  })

  test('random draws distinct points of the grid, the same for a seed, however large the grid', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.nat(1000), (samples, seed) => {
        const raw = {
          grid: { a: { from: 1, to: 100, step: 1 }, b: { from: 1, to: 100, step: 1 } },
          random: { samples, seed },
        }
        const points = expandGrid(raw, [], []).map(({ params }) => params as { a: number; b: number })
        expect(new Set(points.map(({ a, b }) => a * 1000 + b)).size).toBe(samples)
        expect(points.every(({ a, b }) => a >= 1 && a <= 100 && b >= 1 && b <= 100)).toBe(true)
        expect(expandGrid(raw, [], []).map(({ params }) => params)).toEqual(points)
      }),
      { numRuns: 30 },
    )
    const draw = (seed: number) =>
      expandGrid({ grid: { a: { from: 1, to: 10_000, step: 1 } }, random: { samples: 5, seed } }, [], [])
    expect(draw(1)).not.toEqual(draw(2))
  })

  test('of a million and one points is refused before it is made', () => {
    const problems: Problem[] = []
    const side = { from: 1, to: 1001, step: 1 }
    expect(expandGrid({ grid: { a: side, b: side } }, ['t'], problems)).toEqual([])
    expect(problems).toEqual([
      {
        path: ['t', 'grid'],
        on: 'key',
        message: 'the grid has 1,002,001 points; at most 100,000 are allowed',
      },
    ])
  })
})

describe('a range', () => {
  const values = (raw: unknown) => readAxis(raw, [], []).map(({ value }) => value)

  test('by step has both ends and no dust', () => {
    expect(values({ from: 0, to: 0.5, step: 0.1 })).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5])
    expect(values({ from: 1, to: 2, step: 0.3 })).toEqual([1, 1.3, 1.6, 1.9])
    expect(values({ from: 3, to: 3, step: 1 })).toEqual([3])
    expect(values({ from: -1, to: 1, step: 1 })).toEqual([-1, 0, 1])
  })

  test('by step meets its end whatever a division rounds, and no value lies beyond it', () => {
    const decimals = fc.integer({ min: 0, max: 6 })
    fc.assert(
      fc.property(
        decimals,
        fc.nat(300),
        fc.integer({ min: 1, max: 90 }),
        fc.nat(60),
        (digits, first, step, n) => {
          // As somebody types them.
          const typed = (units: number) => Number(`${units}e-${digits}`)
          const expected = Array.from({ length: n + 1 }, (_, place) => typed(first + place * step))
          const range = { from: typed(first), step: typed(step) }
          expect(values({ ...range, to: typed(first + n * step) })).toEqual(expected)
          expect(values({ ...range, to: typed(first + (n + 0.5) * step) })).toEqual(expected)
          expect(values({ ...range, to: typed(first + (n + 0.999) * step) })).toEqual(expected)
        },
      ),
    )
    expect(values({ from: 0, to: 0.3, step: 0.1 })).toEqual([0, 0.1, 0.2, 0.3])
  })
})
