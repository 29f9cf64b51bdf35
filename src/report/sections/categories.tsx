import type { Estimate, TrialSummary } from '../../results/summary.ts'
import type { Chart, ChartRow } from '../charts/chart.ts'
import { heatSpec } from '../charts/heat.ts'
import { heatStep } from '../charts/theme.ts'
import { htmlTable, TRIAL } from '../components/html-table.tsx'
import { term } from '../glossary.tsx'
import { confidence } from '../notes.ts'
import { interval, percent, plural, quantity } from '../numbers.ts'
import { representing } from '../representatives.ts'
import type { Column } from '../table.ts'
import { say } from '../words.tsx'
import { Figure, type PageData, type PageSection } from './section.tsx'

const FEW = 20

export function categoriesSection({
  summary,
  chosen,
}: Pick<PageData, 'summary' | 'chosen'>): PageSection | null {
  const { categories } = summary.datasets[0]
  const { primary } = summary
  const trials = chosen.map((index) => summary.trials[index])
  const named = categories.filter(({ name }) =>
    trials.some((trial) => (trial.categories[name]?.[primary]?.n ?? 0) > 0),
  )
  if (named.length === 0 || trials.length === 0) return null
  const cell = (trial: TrialSummary, name: string): Estimate | undefined => trial.categories[name]?.[primary]
  const means = trials.flatMap((trial) => named.flatMap(({ name }) => cell(trial, name)?.mean ?? []))
  const [low, high] = [Math.min(...means), Math.max(...means)]
  const rows = trials.flatMap((trial) =>
    named.flatMap(({ name }): ChartRow[] => {
      const estimate = cell(trial, name)
      return estimate
        ? [
            {
              y: trial.name,
              x: name,
              value: estimate.mean,
              low: estimate.low,
              high: estimate.high,
              n: estimate.n,
              text: percent(estimate.mean),
              step: heatStep(estimate.mean, low, high),
            },
          ]
        : []
    }),
  )
  const whole = trials[0].measures[primary].n
  const rest = whole - named.reduce((sum, { name }) => sum + countOf(trials[0], name), 0)
  const chart: Chart = {
    id: 'categories',
    cell: 130,
    spec: heatSpec({ x: null, y: null }),
    rows,
    caption: `${primary} in percent by category of query. ${representing(summary)}. Colours run from ${percent(low)} to ${percent(high)}. n = ${named.map(({ name }) => `${name} ${quantity(countOf(trials[0], name))}`).join(', ')}.${rest > 0 ? ` ${plural(rest, 'query', 'queries')} without a category ${rest === 1 ? 'is' : 'are'} left out.` : ''}`,
    label: `${primary} of ${trials.length} trials in ${named.length} categories`,
  }
  const columns: Column<TrialSummary>[] = [
    TRIAL,
    ...named.map(
      ({ name }): Column<TrialSummary> => ({
        head: name,
        note: `n = ${countOf(trials[0], name)}`,
        html: (trial) => {
          const estimate = cell(trial, name)
          return estimate
            ? say`${percent(estimate.mean)} ${<span class="interval under">{interval(estimate.low, estimate.high)}</span>}`
            : ''
        },
        value: (trial) => cell(trial, name)?.mean ?? null,
      }),
    ),
  ]
  const few = named.filter(({ name }) => countOf(trials[0], name) < FEW)
  const list = htmlTable({
    id: 'categories-table',
    caption: say`Means with ${term('confidence interval', `${confidence(summary.comparison?.level)}intervals`)}. ${few.length > 0 ? `${plural(few.length, 'category has', 'categories have')} fewer than ${FEW} queries (${few.map(({ name }) => name).join(', ')}), too few for a ranking. ` : ''}These differences were not tested.`,
    columns,
    rows: trials,
    sortable: true,
  })
  const body = [<Figure chart={chart} />, list]
  return { id: 'categories', title: 'Categories', body, charts: [chart] }

  function countOf(trial: TrialSummary, name: string): number {
    return trial.categories[name]?.[primary]?.n ?? 0
  }
}
