import type { Latency } from '../../results/latency.ts'
import type { Curves } from '../../results/read.ts'
import type { Summary } from '../../results/summary.ts'
import type { Chart } from '../charts/chart.ts'
import { type Candidate, paretoRows, paretoSpec } from '../charts/pareto.ts'
import { type Html, html } from '../html.ts'
import { milliseconds, plural, quantity } from '../numbers.ts'
import { strategiesOf, tokensOf } from '../standings.ts'
import { areaTable, budgetChart } from './budget.ts'
import { dollarsTable } from './dollars.ts'
import { figure, key, type Section, table } from './section.ts'

/** Quality against what it costs: tokens, time, a budget of tokens. */
export function costView(
  summary: Summary,
  latency: Latency | null,
  curves: Curves,
  chosen: readonly number[],
): Section {
  const charts = [
    tokensChart(summary, chosen),
    latencyChart(summary, latency, chosen),
    budgetChart(summary, curves, chosen),
  ].filter((chart) => chart !== null)
  const body = html`<p>A strategy that returns more is not better for it: here each is held against what it costs.</p>
${charts.map(figure)}${areaTable(summary, curves, chosen)}${dollarsTable(summary)}${latency && latency.trials.length > 0 ? latencyTable(latency) : null}`
  return { id: 'cost', title: 'Quality and cost', body, charts }
}

function candidates(
  summary: Summary,
  chosen: readonly number[],
  cost: (place: number) => number | null,
): Candidate[] {
  return summary.trials
    .flatMap((trial, place) => {
      const x = cost(place)
      const { mean, low, high } = trial.measures[summary.primary]
      if (x === null || !Number.isFinite(x)) return []
      return [
        {
          name: trial.name,
          strategy: trial.strategy,
          x,
          y: mean,
          low: low ?? mean,
          high: high ?? mean,
          chosen: chosen.includes(place),
        },
      ]
    })
    .sort((a, b) => Number(b.chosen) - Number(a.chosen) || b.y - a.y)
}

const HOW =
  'Up is better, left is cheaper; no trial beats those on the dashed line in both. Full marks are the trials that stand for a strategy, with intervals; faint ones all others.'

function paretoChart(
  summary: Summary,
  id: string,
  points: readonly Candidate[],
  cost: string,
  caption: Html,
): Chart | null {
  if (points.length < 2) return null
  const strategies = strategiesOf(summary)
  const rows = paretoRows(points)
  return {
    id,
    spec: paretoSpec(strategies, rows, { x: cost, y: summary.primary }),
    rows,
    caption,
    label: `${summary.primary} against ${cost} for ${points.length} trials`,
    above: key(strategies),
  }
}

function tokensChart(summary: Summary, chosen: readonly number[]): Chart | null {
  const points = candidates(summary, chosen, (place) => tokensOf(summary.trials[place]))
  const caption = html`Quality against tokens: mean ${summary.primary} and mean tokens a query (chunks to depth ${summary.depth}, and evidence). ${HOW} n = ${plural(points.length, 'trial')}, ${plural(summary.dataset.judged, 'query', 'queries')} each.`
  return paretoChart(summary, 'pareto-tokens', points, 'tokens a query', caption)
}

function latencyChart(summary: Summary, latency: Latency | null, chosen: readonly number[]): Chart | null {
  if (!latency) return null
  const times = new Map(latency.trials.map((row) => [row.id, row.p95.value]))
  const points = candidates(summary, chosen, (place) => times.get(summary.trials[place].id) ?? null)
  const [first] = latency.trials
  const caption = html`Quality against time: mean ${summary.primary} and the 95th percentile of milliseconds a query, each trial alone, warmed up${first ? html`, ${plural(first.queries, 'query', 'queries')} × ${first.repeats}` : null}. ${HOW} n = ${plural(points.length, 'trial')}.`
  return paretoChart(summary, 'pareto-p95', points, 'p95 ms', caption)
}

function latencyTable({ trials }: Latency): Html {
  type Row = Latency['trials'][number]
  const time = (of: 'p50' | 'p95' | 'p99') => ({
    head: `${of} ms`,
    cell: (row: Row) =>
      html`${milliseconds(row[of].value)} <span class="interval">[${milliseconds(row[of].low)}, ${milliseconds(row[of].high)}]</span>`,
    value: (row: Row) => row[of].value,
  })
  return table({
    id: 'latency',
    caption: html`Milliseconds a query, each trial alone on one core after a warm-up, with bootstrap intervals; the first query after opening the indexes apart.`,
    columns: [
      { head: 'trial', text: true, cell: ({ name }) => name },
      time('p50'),
      time('p95'),
      time('p99'),
      { head: 'cold ms', cell: ({ cold }) => milliseconds(cold), value: ({ cold }) => cold },
      {
        head: 'n',
        title: 'queries × repeats',
        cell: ({ queries, repeats }) => `${quantity(queries)} × ${repeats}`,
      },
    ],
    rows: trials,
  })
}
