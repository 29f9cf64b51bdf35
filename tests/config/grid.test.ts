import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAxis } from '../../src/config/axis.ts'
import { expandGrid, type GridOptions } from '../../src/config/grid.ts'
import type { Problem } from '../../src/config/problem.ts'

function options(limit = 1000): GridOptions & { problems: Problem[] } {
  return { limit, isWhole: () => false, problems: [] }
}

const axis = fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 4 })
const grid = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), axis, { minKeys: 1 })

describe('a grid', () => {
  test('has every combination once, the first axis slowest', () => {
    fc.assert(
      fc.property(grid, (raw) => {
        const points = expandGrid({ fixed: 1, grid: raw }, ['t'], options())
        let expected: Record<string, number>[] = [{ fixed: 1 }]
        for (const [name, values] of Object.entries(raw))
          expected = expected.flatMap((point) => values.map((value) => ({ ...point, [name]: value })))
        expect(points.map(({ params }) => params)).toEqual(expected)
        const varied = Object.keys(raw).filter((name) => raw[name].length > 1)
        for (const point of points) expect([...point.varied].sort()).toEqual(varied.sort())
      }),
    )
  })

  test('knows where each value stands', () => {
    const [, second] = expandGrid({ pool: 5, grid: { a: [1, 2] } }, ['trials', 0, 'x'], options())
    expect(second.paths).toEqual({ pool: ['trials', 0, 'x', 'pool'], a: ['trials', 0, 'x', 'grid', 'a', 1] })
  })

  test('random draws distinct points of the grid, the same for a seed, however large the grid', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.nat(1000), (samples, seed) => {
        const raw = {
          grid: { a: { from: 1, to: 100, step: 1 }, b: { from: 1, to: 100, step: 1 } },
          random: { samples, seed },
        }
        const points = expandGrid(raw, [], options()).map(({ params }) => params as { a: number; b: number })
        expect(new Set(points.map(({ a, b }) => a * 1000 + b)).size).toBe(samples)
        expect(points.every(({ a, b }) => a >= 1 && a <= 100 && b >= 1 && b <= 100)).toBe(true)
        expect(expandGrid(raw, [], options()).map(({ params }) => params)).toEqual(points)
      }),
      { numRuns: 30 },
    )
    const draw = (seed: number) =>
      expandGrid(
        { grid: { a: { from: 1, to: 10_000, step: 1 } }, random: { samples: 5, seed } },
        [],
        options(),
      )
    expect(draw(1)).not.toEqual(draw(2))
  })

  test('of a million and one points is refused before it is made', () => {
    const { problems, ...rest } = options(1_000_000)
    const side = { from: 1, to: 1001, step: 1 }
    expect(expandGrid({ grid: { a: side, b: side } }, ['t'], { ...rest, problems })).toEqual([])
    expect(problems).toEqual([
      { path: ['t', 'grid'], on: 'key', message: 'the grid has 1,002,001 points; maxTrials is 1,000,000' },
    ])
  })
})

describe('a range', () => {
  const values = (raw: unknown, whole = false) => readAxis(raw, [], whole, []).map(({ value }) => value)

  test('by step has both ends and no dust', () => {
    expect(values({ from: 0, to: 0.5, step: 0.1 })).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5])
    expect(values({ from: 1, to: 2, step: 0.3 })).toEqual([1, 1.3, 1.6, 1.9])
    expect(values({ from: 3, to: 3, step: 1 })).toEqual([3])
    expect(values({ from: -1, to: 1, step: 1 })).toEqual([-1, 0, 1])
  })

  test('by log has both ends, in equal ratios', () => {
    expect(values({ from: 1, to: 1000, log: 4 })).toEqual([1, 10, 100, 1000])
    expect(values({ from: 0.001, to: 1, log: 3 })).toEqual([0.001, 0.0316228, 1])
  })

  test('of whole numbers is rounded, each once', () => {
    expect(values({ from: 1, to: 4, log: 6 }, true)).toEqual([1, 2, 3, 4])
  })
})
