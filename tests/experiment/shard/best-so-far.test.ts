import { expect, test } from 'vitest'
import { qualityOf, trackBest } from '../../../src/experiment/shard/best-so-far.ts'
import { parseMeasures } from '../../../src/metrics/parse.ts'

const trials = [{ name: 'bm25' }, { name: 'naive' }]
const [recall] = parseMeasures(['recall@5'])
/** Quality of the first `end` queries. */
const quality = (values: Float64Array, end: number, measures: number, primary: number) =>
  qualityOf({ values, begin: 0, end }, trials.length, measures, primary)

test('names the leader over all shards so far; queries that do not count change nothing', () => {
  const add = trackBest(trials, recall)
  // Two queries of two measures, the second primary: bm25 1 and -, naive 0.5 and -.
  const first = Float64Array.of(9, 1, 9, Number.NaN, 9, 0.5, 9, Number.NaN)
  expect(add(quality(first, 2, 2, 1))).toBe('recall@5 100.0 by bm25')
  const second = Float64Array.of(9, 0, 9, 0, 9, 0.5, 9, 1)
  expect(add(quality(second, 2, 2, 1))).toBe('recall@5 66.7 by naive')
})

test('says nothing before a query counts', () => {
  const add = trackBest(trials, recall)
  expect(add(quality(Float64Array.of(Number.NaN, Number.NaN), 1, 1, 0))).toBe('')
})
