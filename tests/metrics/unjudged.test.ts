import { expect, test } from 'vitest'
import { evaluate } from '../../src/metrics/evaluate.ts'
import { parseMeasures } from '../../src/metrics/parse.ts'
import { condensed, unjudgedRelevant } from '../../src/metrics/variants.ts'

/** Rank 1 unjudged, 2 relevant, 3 not relevant, 4 unjudged; one relevant label is not found. */
const judged = { grades: Int32Array.of(1, 0, 1), ranks: Int32Array.of(2, 3, 0), retrieved: 4 }
const measures = parseMeasures(['mrr', 'precision@2', 'recall@2', 'bpref'])

test('without unjudged results the judged ones move up', () => {
  expect([...evaluate(measures, condensed(judged))]).toEqual([1, 0.5, 0.5, 0.5])
})

test('a condensed list has the bpref of the whole one', () => {
  expect(evaluate(measures, condensed(judged))[3]).toBe(evaluate(measures, judged)[3])
})

test('unjudged results of the first k as relevant', () => {
  // Rank 1 is a hit, and the relevant labels are three.
  expect([...evaluate(measures, unjudgedRelevant(judged, 2, 1))].slice(0, 3)).toEqual([1, 1, 2 / 3])
})

test('spans of one chunk share its rank', () => {
  const spans = { grades: Int32Array.of(1, 0, 1), ranks: Int32Array.of(2, 2, 3), retrieved: 3 }
  expect([...condensed(spans).ranks]).toEqual([1, 1, 2])
})

test('an unjudged result is a group of its own', () => {
  const groups = { ...judged, groups: Int32Array.of(0, -1, 3) }
  const { grades, ranks, groups: all } = unjudgedRelevant(groups, 9, 2)
  expect([grades, ranks, all].map((column) => [...(column ?? [])])).toEqual([
    [1, 0, 1, 2, 2],
    [2, 3, 0, 1, 4],
    [0, -1, 3, 4, 5],
  ])
  const ungrouped = unjudgedRelevant({ ...judged, groups: Int32Array.of(-1, -1, -1) }, 1, 1)
  expect([...(ungrouped.groups ?? [])]).toEqual([-1, -1, -1, 0])
})
