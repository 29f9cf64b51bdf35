import { expect, test } from 'vitest'
import { estimateColumns } from '../../../src/experiment/finish/estimate.ts'
import { parseMeasures } from '../../../src/metrics/parse.ts'

const [recall, mrr] = parseMeasures(['recall@5', 'mrr'])

test('means count the queries that have a value, and have intervals for the requested measures', () => {
  const columns = [Float64Array.of(0, Number.NaN, 1, 0.5, 0.5, 1), Float64Array.of(1, 1, 1, 0, 0, 0)]
  const interval = (measure: unknown) => measure === recall
  // Student's t of 4 degrees of freedom; the error is that of 0, 1, 0.5, 0.5, 1 with a 0 and a 1.
  const low = 4 / 7 - 2.7764451052 * Math.sqrt((3.5 - 16 / 7) / 6 / 7)
  expect(estimateColumns([recall, mrr], columns, { level: 0.05, interval, clusters: undefined })).toEqual({
    'recall@5': { mean: expect.closeTo(0.6, 12), low: expect.closeTo(low, 9), high: 1, n: 5 },
    mrr: { mean: 0.5, low: null, high: null, n: 6 },
  })
})

test('queries that are sampled by cluster have wider intervals', () => {
  const widthOf = (clusters: Int32Array | undefined) => {
    const values = Float64Array.from({ length: 20 }, (_, query) => (query < 10 ? 0.25 : 0.75))
    const options = { level: 0.05, interval: () => true, clusters }
    const { low, high } = estimateColumns([recall], [values], options)['recall@5']
    return Number(high) - Number(low)
  }
  const pairs = Int32Array.from({ length: 20 }, (_, query) => query >> 1)
  expect(widthOf(pairs)).toBeGreaterThan(1.3 * widthOf(undefined))
  expect(widthOf(Int32Array.from({ length: 20 }, (_, query) => query))).toBeCloseTo(widthOf(undefined), 12)
})
