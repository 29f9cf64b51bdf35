import { expect, test } from 'vitest'
import { qualityOf, trackBest } from '../../../src/experiment/shard/best-so-far.ts'
import { parseMeasures } from '../../../src/metrics/parse.ts'

const trials = [{ name: 'bm25' }, { name: 'naive' }]
const [recall] = parseMeasures(['recall@5'])

test('names the leader over all shards so far; queries that do not count change nothing', () => {
  const add = trackBest(trials, recall)
  // Two queries of two measures, the second primary: bm25 1 and -, naive 0.5 and -.
  const first = Float64Array.of(9, 1, 9, Number.NaN, 9, 0.5, 9, Number.NaN)
  expect(add(qualityOf(first, [0, 1], 2, 2, 1))).toBe('recall@5 100.0 by bm25')
  const second = Float64Array.of(9, 0, 9, 0, 9, 0.5, 9, 1)
  expect(add(qualityOf(second, [0, 1], 2, 2, 1))).toBe('recall@5 66.7 by naive')
})

test('once a race has stopped trials, the leader is one of those that run', () => {
  const add = trackBest(trials, recall)
  add(qualityOf(Float64Array.of(1, 0.5), [0, 1], 2, 1, 0))
  expect(add(qualityOf(Float64Array.of(0), [1], 2, 1, 0))).toBe('recall@5 25.0 by naive, 1 of 2 trials left')
})

test('says nothing before a query counts', () => {
  const add = trackBest(trials, recall)
  expect(add(qualityOf(Float64Array.of(Number.NaN, Number.NaN), [0, 1], 2, 1, 0))).toBe('')
})
