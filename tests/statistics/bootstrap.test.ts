import { describe, expect, test } from 'vitest'
import { createRandom } from '../../src/random.ts'
import { type Bootstrap, bootstrapExtremes } from '../../src/statistics/bootstrap.ts'
import { type Sample, sampleOf } from '../../src/statistics/sample.ts'

/** The bootstrap t again, resample by resample, without shared code but the random numbers. */
function oracle({ sample, rows, folds, contests, groups, draws, seed }: Bootstrap) {
  const { below } = createRandom(seed)
  const { strata, sizes } = sample
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  /** Values of the row whose folds choose their trials by these units. */
  const rowOf = (row: number, drawn: readonly (readonly number[])[]): number[] => {
    const values = new Array<number>(sizes.length)
    strata.forEach((units, stratum) => {
      for (const unit of units) {
        const others = drawn[stratum].filter((other) => folds && folds[other] !== folds[unit])
        const means = rows[row].map((trial) => sum(others.map((other) => trial[other])))
        values[unit] = rows[row][means.indexOf(Math.max(...means))][unit]
      }
    })
    return values
  }
  const statistic = (a: number, b: number, drawn: readonly (readonly number[])[]) => {
    const [left, right] = [rowOf(a, drawn), rowOf(b, drawn)]
    const parts = drawn.map((units) => {
      const n = sum(units.map((unit) => sizes[unit]))
      const mean = sum(units.map((unit) => left[unit] - right[unit])) / n
      const squares = sum(units.map((unit) => (left[unit] - right[unit] - sizes[unit] * mean) ** 2))
      return { mean, variance: ((units.length / (units.length - 1)) * squares) / n ** 2 }
    })
    return {
      mean: sum(parts.map(({ mean }) => mean)) / parts.length,
      error: Math.sqrt(sum(parts.map(({ variance }) => variance))) / parts.length,
    }
  }
  const samples = Array.from({ length: draws }, () =>
    strata.map((units) => units.map(() => units[below(units.length)])),
  )
  const values = contests.map(({ a, b }) => {
    const drawn = samples.map((units) => statistic(a, b, units))
    const isTuned = rows[a].length + rows[b].length > 2
    const centre = isTuned ? sum(drawn.map(({ mean }) => mean)) / draws : statistic(a, b, strata).mean
    return drawn.map(({ mean, error }) => (mean - centre) / error)
  })
  return groups.map(({ above, below: under }) => ({
    highest: samples.map((_, draw) => Math.max(...above.map((contest) => values[contest][draw]))),
    lowest: samples.map((_, draw) => Math.min(...under.map((contest) => values[contest][draw]))),
  }))
}

const random = createRandom(3)
const column = (n: number) => Float64Array.from({ length: n }, random.uniform)

function expectAgreement(sample: Sample, trials: number, folds?: number[]) {
  const input: Bootstrap = {
    sample,
    rows: [1, 1, trials, trials].map((count) =>
      Array.from({ length: count }, () => column(sample.sizes.length)),
    ),
    folds,
    contests: [
      { a: 1, b: 0 },
      { a: 2, b: 0 },
      { a: 2, b: 3 },
    ],
    groups: [
      { above: [0], below: [0] },
      { above: [1, 2], below: [2] },
    ],
    draws: 2100,
    seed: 9,
  }
  const expected = oracle(input)
  for (const [group, { highest, lowest }] of bootstrapExtremes(input).entries())
    for (const [actual, values] of [
      [highest, expected[group].highest],
      [lowest, expected[group].lowest],
    ] as const)
      expect(Math.max(...values.map((value, draw) => Math.abs(value - actual[draw])))).toBeLessThan(1e-4)
}

describe('the bootstrap t equals one that is computed resample by resample', () => {
  const sampleFor = (strata: number[], clusters?: number[]) =>
    sampleOf([new Float64Array(strata.reduce((a, b) => a + b))], strata, clusters)
  test('over queries', () => expectAgreement(sampleFor([37]), 1))
  test('over two strata', () => expectAgreement(sampleFor([21, 16]), 1))
  test('over clusters', () => {
    const clusters = Array.from({ length: 60 }, (_, query) => Math.floor(query / (1 + (query % 3))))
    expectAgreement(sampleFor([60], clusters), 1)
  })
  test('with trials that folds choose again', () => {
    const folds = Array.from({ length: 37 }, (_, query) => query % 5)
    expectAgreement(sampleFor([20, 17]), 4, folds)
  })
  test('with clusters that folds choose by', () => {
    const clusters = Array.from({ length: 80 }, (_, query) => Math.floor(query / (1 + (query % 2))))
    const sample = sampleFor([80], clusters)
    expectAgreement(
      sample,
      3,
      sample.sizes.map((_, unit) => unit % 4),
    )
  })
})
