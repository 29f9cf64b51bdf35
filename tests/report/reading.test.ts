import { expect, test } from 'vitest'
import { compileChart } from '../../src/report/charts/chart.ts'
import { readingSection } from '../../src/report/sections/trade-offs.tsx'
import { estimate, smallSummary } from './small-summary.ts'

function summaryOf(measures: readonly string[]) {
  const summary = smallSummary({ trials: [{ name: 'a', mean: 0.5 }] })
  const trials = summary.trials.map((trial) => ({
    ...trial,
    measures: {
      ...trial.measures,
      ...Object.fromEntries(measures.map((name, i) => [name, estimate(0.2 + i / 2)])),
    },
  }))
  return { ...summary, measures: [...summary.measures, ...measures], trials }
}

test('recall against tokens read is drawn from two budgets on', () => {
  expect(
    readingSection({ summary: summaryOf(['recall_by_token@500tok', 'recall@500tok']), chosen: [0] }),
  ).toBeNull()
  const view = readingSection({
    summary: summaryOf(['recall_by_token@500tok', 'recall_by_token@2000tok']),
    chosen: [0],
  })
  expect(view?.charts[0].rows?.map(({ tokens, recall }) => [tokens, recall])).toEqual([
    [500, 0.2],
    [2000, 0.7],
  ])
  expect(view && compileChart(view.charts[0]).vega).toMatchObject({ marks: expect.any(Array) })
})

test('a trial that was not scored on every dataset is left out, and n counts the queries of all', () => {
  const summary = summaryOf(['recall_by_token@500tok', 'recall_by_token@2000tok'])
  const several = {
    ...summary,
    datasets: [...summary.datasets, { ...summary.datasets[0], name: 'other', judged: 20 }],
    trials: [...summary.trials, { ...summary.trials[0], name: 'b', measures: {} }],
  }
  const chart = readingSection({ summary: several, chosen: [0, 1] })?.charts[0]
  expect(chart?.rows?.map(({ name }) => name)).toEqual(['a', 'a'])
  expect(chart?.caption).toMatch(/n = 120 queries\.$/)
  expect(readingSection({ summary: several, chosen: [1] })).toBeNull()
})
