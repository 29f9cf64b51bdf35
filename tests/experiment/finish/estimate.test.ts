import { expect, test } from 'vitest'
import { createEstimator } from '../../../src/experiment/finish/estimate.ts'
import { rangeOf } from '../../../src/metrics/define.ts'
import { parseMeasures } from '../../../src/metrics/parse.ts'
import { meanInterval } from '../../../src/statistics/mean-interval.ts'

const [recall, mrr] = parseMeasures(['recall@5', 'mrr'])
const COUNTED = Float64Array.of(0, 1, 0.5, 0.5, 1)
const COLUMN = Float64Array.of(0, Number.NaN, 1, 0.5, 0.5, 1)

test('means count the queries that have a value, and have intervals where these are asked for', () => {
  const estimator = createEstimator()
  const columns = [COLUMN, Float64Array.of(1, 1, 1, 0, 0, 0)]
  const found = estimator.estimate([recall, mrr], columns, (measure) => measure === recall)
  expect(found).toEqual({
    'recall@5': { mean: expect.closeTo(0.6, 12), low: null, high: null, n: 5 },
    mrr: { mean: 0.5, low: null, high: null, n: 6 },
  })
  estimator.settle(0.025)
  const interval = meanInterval([COUNTED], 0.025, rangeOf(recall.metric))
  expect(found['recall@5']).toMatchObject(interval)
  expect(interval.low).toBeLessThan(0.6)
  expect(found.mrr).toMatchObject({ low: null, high: null })
  // An interval that is settled stays.
  estimator.settle(0.4)
  expect(found['recall@5']).toMatchObject(interval)
})

test('queries that are sampled by cluster have wider intervals', () => {
  const widthOf = (clusters?: Int32Array) => {
    const estimator = createEstimator()
    const values = Float64Array.from({ length: 20 }, (_, query) => (query < 10 ? 0.25 : 0.75))
    const { 'recall@5': found } = estimator.estimate([recall], [values], () => true, clusters)
    estimator.settle(0.025)
    return Number(found.high) - Number(found.low)
  }
  const pairs = Int32Array.from({ length: 20 }, (_, query) => query >> 1)
  expect(widthOf(pairs)).toBeGreaterThan(1.3 * widthOf())
  expect(widthOf(Int32Array.from({ length: 20 }, (_, query) => query))).toBeCloseTo(widthOf(), 12)
})
