import { expect, test } from 'vitest'
import { parseMeasures } from '../../src/metrics/parse.ts'
import { qualityOf, trackBest } from '../../src/shard/best-so-far.ts'

const trials = [{ name: 'bm25' }, { name: 'naive' }]
const [recall] = parseMeasures(['recall@5'])

test('names the leader over all shards so far; queries that do not count change nothing', () => {
  const add = trackBest(trials, recall)
  // Two queries of two measures, the second primary: bm25 1 and -, naive 0.5 and 0.5.
  const first = Float64Array.of(9, 1, 9, Number.NaN, 9, 0.5, 9, 0.5)
  expect(add(qualityOf(first, 2, 2, 1))).toBe('recall@5 100.0 by bm25')
  const second = Float64Array.of(9, 0, 9, 0, 9, 0.5, 9, 1)
  expect(add(qualityOf(second, 2, 2, 1))).toBe('recall@5 62.5 by naive')
})

test('says nothing before a query counts', () => {
  const add = trackBest(trials, recall)
  expect(add(qualityOf(Float64Array.of(Number.NaN, Number.NaN), 2, 1, 0))).toBe('')
})
