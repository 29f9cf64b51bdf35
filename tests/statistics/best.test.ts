import { describe, expect, test } from 'vitest'
import { createGenerator } from '../../simulations/grids.ts'
import { closeToBest } from '../../src/statistics/compare.ts'

const HOW = { level: 0.05, draws: 1000, seed: 1, better: 'higher' } as const

function rows(seed: number, gains: readonly number[], n = 100) {
  const { normal } = createGenerator(seed)
  const common = Float64Array.from({ length: n }, normal)
  return gains.map((gain) => common.map((value) => value + gain + normal()))
}

const closeTo = (matrix: Float64Array[], options: object = {}) => {
  const names = matrix.map((_, row) => `r${row}`)
  return closeToBest(
    { ...HOW, names, matrix, ...options },
    names.map((name) => ({ name })),
  )
}

describe('rows that cannot be told apart from the best', () => {
  test('the best row is told apart at most as often as the level says', () => {
    let wrong = 0
    for (let seed = 0; seed < 200; seed++)
      if (!closeTo(rows(seed, [0, 0, 0, 0], 50), { draws: 400, seed })?.includes('r0')) wrong++
    expect(wrong / 200).toBeLessThan(0.09)
  })

  test('differences on few queries tell apart by exact flips only', () => {
    const base = rows(2, [0])[0]
    const lower = (count: number) =>
      base.map((value, query) => (query < count ? value - 1 - query / 50 : value))
    expect(closeTo([base, lower(5), lower(12), lower(40)])).toEqual(['r0', 'r1'])
  })

  test('few clusters are told apart by Student’s t, too few not at all', () => {
    const matrix = rows(3, [1, 0])
    const clusters = (count: number) => Array.from({ length: 100 }, (_, query) => query % count)
    expect(closeTo(matrix, { clusters: clusters(10) })).toEqual(['r0'])
    expect(closeTo(matrix, { clusters: clusters(4) })).toBeNull()
  })
})
