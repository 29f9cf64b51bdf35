import type { Summary } from '../../results/summary.ts'
import type { Chart, ChartSpec } from '../charts/chart.ts'
import { colour, marked, shape } from '../charts/strategy-marks.ts'
import { Key } from '../components/key.tsx'
import { plural } from '../numbers.ts'
import { representing } from '../representatives.ts'
import { Figure, type PageSection } from './section.tsx'

/** Recall against tokens read, by two or more measures `recall_by_token`. */
export function readingView(summary: Summary, chosen: readonly number[]): PageSection | null {
  const budgets = summary.measures.flatMap((measure) => {
    const [, tokens] = /^recall_by_token@(\d+)tok$/.exec(measure) ?? []
    return tokens === undefined ? [] : [{ measure, tokens: Number(tokens) }]
  })
  // A trial that was not scored on every dataset has no mean.
  const trials = chosen
    .map((index) => summary.trials[index])
    .filter(({ measures }) => budgets.every(({ measure }) => measures[measure]))
  if (budgets.length < 2 || trials.length === 0) return null
  const queries = summary.datasets.reduce((sum, { judged }) => sum + judged, 0)
  const strategies = [...new Set(trials.map(({ strategy }) => strategy))]
  const rows = trials.flatMap(({ name, strategy, measures }) =>
    budgets.map(({ measure, tokens }) => {
      const { mean, low, high } = measures[measure]
      return { name, strategy, tokens, recall: mean, low, high }
    }),
  )
  const chart: Chart = {
    id: 'reading',
    spec: readingSpec(strategies),
    rows,
    caption: `Recall of everything that was read within a number of tokens, in order. A passage that an agent reads twice counts once and costs twice; a search without an agent is one call. Higher and further left is better. ${representing(summary)}; n = ${plural(queries, 'query', 'queries')}.`,
    label: `Recall against tokens read for ${plural(trials.length, 'trial')}`,
    above: <Key entries={marked(strategies)} />,
  }
  return { id: 'reading', title: 'Recall by tokens read', body: <Figure chart={chart} />, charts: [chart] }
}

function readingSpec(strategies: readonly string[]): ChartSpec {
  const axis = { title: 'tokens read →', format: ',d', tickCount: 5, grid: false }
  const tooltip = [
    { field: 'name', title: 'trial' },
    { field: 'tokens', title: 'tokens', format: ',d' },
    { field: 'recall', title: 'recall', format: '.1%' },
  ]
  return {
    height: 300,
    encoding: {
      x: { field: 'tokens', type: 'quantitative', scale: { type: 'log', nice: false, padding: 14 }, axis },
      y: { field: 'recall', type: 'quantitative', axis: { title: '↑ recall', format: '.0%', tickCount: 6 } },
      color: colour(strategies),
    },
    layer: [
      { mark: { type: 'line', strokeWidth: 1.5 }, encoding: { detail: { field: 'name' } } },
      { mark: { type: 'rule', opacity: 0.4 }, encoding: { y: { field: 'low' }, y2: { field: 'high' } } },
      { mark: { type: 'point', size: 60 }, encoding: { shape: shape(strategies), tooltip } },
    ],
  }
}
