import { expect, test } from 'vitest'
import { describeFlipped } from '../../src/results/flipped.ts'
import type { Results } from '../../src/results/read.ts'
import { smallSummary } from '../report/small-summary.ts'

const coded = (values: readonly string[]) => {
  const words = [...new Set(values)]
  return { words, codes: Int32Array.from(values, (value) => words.indexOf(value)) }
}

type Stages = Readonly<Record<string, readonly [rank: number, stage: string][]>>

/** Results of trials over the queries q0 and q1: by trial, rank and stage of the labels d1 and d2 of q0, d3 and d4 (grade 0) of q1. */
function results(
  stages: Stages,
  { finalists = Object.keys(stages), ranked = [] as [string, number, string][] } = {},
) {
  const names = Object.keys(stages)
  const summary = smallSummary({ trials: names.map((name) => ({ name, mean: 0.5 })) })
  const funnel = ['search', 'rerank', 'found'].map((stage) => ({ stage, lost: 0 }))
  const goldRows = Object.values(stages).flat()
  return {
    summary: {
      ...summary,
      trials: summary.trials.map((trial) => ({ ...trial, finalist: finalists.includes(trial.name), funnel })),
    },
    queries: { id: ['q0', 'q1'], text: ['one?', 'two?'], category: ['', ''] },
    labels: {
      rows: 4,
      query: Int32Array.of(0, 0, 1, 1),
      judged: ['d1', 'd2', 'd3', 'd4'],
      grade: Int32Array.of(1, 2, 1, 0),
    },
    gold: {
      rank: Int32Array.from(goldRows, ([rank]) => rank),
      stage: coded(goldRows.map(([, stage]) => stage)),
    },
    rankings: {
      rows: ranked.length,
      trial: ranked.map(([name]) => names.indexOf(name)),
      query: ranked.map(([, query]) => query),

      chunk: coded(ranked.map(([, , chunk]) => chunk)),
      judged: coded(ranked.map(([, , chunk]) => chunk.split('#')[0])),
    },
    texts: { chunk: ['d1#0', 'd2#0'], title: ['One', ''] },
  } as unknown as Results
}

const FOUND = [1, 'found'] as [number, string]

test('a flipped query has both rankings, with their gold', () => {
  const ranked: [string, number, string][] = [
    ['a', 0, 'd9#0'],
    ['a', 0, 'd1#0'],
    ['a', 1, 'd4#0'],
    ['b', 0, 'd2#0'],
  ]
  const before = results(
    { a: [[2, 'found'], [0, 'search'], FOUND, FOUND], b: [FOUND, FOUND, FOUND, FOUND] },
    { ranked },
  )
  const now = results({ b: [FOUND, [3, 'found'], FOUND, FOUND] }, { finalists: [] })
  expect(describeFlipped(before, now, { before: 'a', now: 'b' }, ['q1', 'q0'])).toEqual([
    {
      id: 'q1',
      text: 'two?',
      part: { kind: 'ranks' },
      before: {
        trial: 'a',
        // A label of grade 0 is no gold.
        ranking: [{ chunk: 'd4#0', title: '', gold: false }],
        gold: [{ judged: 'd3', rank: 1, stage: 'found' }],
      },
      now: { trial: 'b', ranking: null, gold: [{ judged: 'd3', rank: 1, stage: 'found' }] },
    },
    {
      id: 'q0',
      text: 'one?',
      part: { kind: 'stage', stage: 'search', before: ['d2'], now: [] },
      before: {
        trial: 'a',
        ranking: [
          { chunk: 'd9#0', title: '', gold: false },
          { chunk: 'd1#0', title: 'One', gold: true },
        ],
        gold: [
          { judged: 'd1', rank: 2, stage: 'found' },
          { judged: 'd2', rank: 0, stage: 'search' },
        ],
      },
      now: {
        trial: 'b',
        ranking: null,
        gold: [
          { judged: 'd1', rank: 1, stage: 'found' },
          { judged: 'd2', rank: 3, stage: 'found' },
        ],
      },
    },
  ])
})
