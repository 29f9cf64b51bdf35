import type { Latency, TrialLatency } from '../../results/latency.ts'
import type { PricingSummary } from '../../results/pricing.ts'
import type { Summary, TrialSummary } from '../../results/summary.ts'
import type { Percentile } from '../../statistics/percentile.ts'
import type { Chart } from '../charts/chart.ts'
import { type ParetoPoint, paretoRows, paretoSpec } from '../charts/pareto.ts'
import { term } from '../glossary.ts'
import { type Html, html } from '../html.ts'
import { latencyNotes } from '../latency-notes.ts'
import { sentWords, strategiesOf, tokensName, tokensOf } from '../leaderboard-rows.ts'
import { dollarsInWords, milliseconds, plural, quantity } from '../numbers.ts'
import { type Column, htmlTable } from '../table.ts'
import { figure, key, type PageSection } from './section.ts'

/** Section of quality against tokens, dollars and time. */
export function costView(summary: Summary, latency: Latency | null, chosen: readonly number[]): PageSection {
  const charts = [
    tokensChart(summary, chosen),
    dollarsChart(summary, chosen),
    latencyChart(summary, latency, chosen),
  ].filter((chart) => chart !== null)
  const body = html`<p>Quality against cost. Tokens and dollars count what a model would receive to answer a query: ${sentWords(summary)}. <code>touchstone recommend FOLDER</code> chooses a trial within limits of time, tokens or money.</p>
${charts.map(figure)}${dollarsTable(summary)}${latency && latency.trials.length > 0 ? latencyTable(latency) : null}`
  return { id: 'cost', title: 'Trade-offs', body, charts }
}

function candidates(
  summary: Summary,
  chosen: readonly number[],
  cost: (index: number) => number | null,
): (ParetoPoint & { readonly id: string })[] {
  return summary.trials
    .flatMap((trial, index) => {
      const x = cost(index)
      const { mean, low, high } = trial.measures[summary.primary]
      if (x === null || !Number.isFinite(x)) return []
      return [
        {
          id: trial.id,
          name: trial.name,
          strategy: trial.strategy,
          x,
          y: mean,
          low: low ?? mean,
          high: high ?? mean,
          chosen: chosen.includes(index),
        },
      ]
    })
    .sort((a, b) => Number(b.chosen) - Number(a.chosen) || b.y - a.y)
}

const HOW = html`Up is better, left is cheaper. The dashed line is the ${term('front')}: no trial is both better and cheaper than one on it. Solid marks with intervals represent a strategy; faint marks are all other trials.`

function paretoChart(
  summary: Summary,
  id: string,
  points: readonly ParetoPoint[],
  cost: string,
  format: string,
  caption: Html,
): Chart | null {
  if (points.length < 2) return null
  const strategies = strategiesOf(summary.trials)
  const rows = paretoRows(points)
  return {
    id,
    spec: paretoSpec(strategies, rows, { x: cost, y: summary.primary }, format),
    rows,
    caption,
    label: `${summary.primary} against ${cost} for ${points.length} trials`,
    above: key(strategies, points),
  }
}

function tokensChart(summary: Summary, chosen: readonly number[]): Chart | null {
  const points = candidates(summary, chosen, (index) => tokensOf(summary.trials[index]))
  const caption = html`Quality against tokens sent: mean ${summary.primary} over ${plural(summary.dataset.judged, 'judged query', 'judged queries')} and mean tokens of ${sentWords(summary)}, over all ${quantity(summary.dataset.queries)}. ${HOW} n = ${plural(points.length, 'trial')}.`
  return paretoChart(summary, 'pareto-tokens', points, `${tokensName(summary)} per query`, ',.0f', caption)
}

function dollarsChart(summary: Summary, chosen: readonly number[]): Chart | null {
  const { pricing } = summary
  // Without model calls, dollars are proportional to tokens.
  if (!pricing || !summary.trials.some(({ perQuery }) => perQuery.inputTokens > 0)) return null
  const points = candidates(summary, chosen, (index) => trialDollars(summary.trials[index], pricing))
  const caption = html`Quality against dollars: mean ${summary.primary} and the cost of 1,000 queries, including the strategy's own model calls (see the dollar table). ${HOW} n = ${plural(points.length, 'trial')}.`
  return paretoChart(summary, 'pareto-dollars', points, 'dollars per 1,000 queries', '$,.3~r', caption)
}

function latencyChart(summary: Summary, latency: Latency | null, chosen: readonly number[]): Chart | null {
  if (!latency) return null
  const times = new Map(latency.trials.map(({ id, p50 }) => [id, p50]))
  const points = candidates(summary, chosen, (index) => times.get(summary.trials[index].id)?.value ?? null)
  const timed = points.map((point) => {
    const { low = null, high = null } = times.get(point.id) ?? {}
    return { ...point, xLow: low, xHigh: high }
  })
  const caption = html`Quality against time: mean ${summary.primary} and median milliseconds per query (p50), one query at a time, nothing shared between trials. ${HOW} Horizontal lines are intervals of the median. n = ${plural(points.length, 'trial')}. ${latencyNotes(latency).join(' ')}`
  return paretoChart(summary, 'pareto-p50', timed, 'p50 ms', ',.3~r', caption)
}

export function latencyTable(latency: Latency): Html {
  const time = (of: 'p50' | 'p95' | 'p99') => ({
    head: `${of} ms`,
    html: (row: TrialLatency) =>
      html`${milliseconds(row[of].value)} <span class="interval">${bounds(row[of])}</span>`,
    value: (row: TrialLatency) => row[of].value,
  })
  const inEngine = (of: 'p50' | 'p95') => ({
    head: `engine ${of} ms`,
    note: 'as the engine reports it; the rest is here and on the way',
    html: ({ engine }: TrialLatency) =>
      engine
        ? html`${milliseconds(engine[of].value)} <span class="interval">${bounds(engine[of])}</span>`
        : '',
    value: ({ engine }: TrialLatency) => engine?.[of].value ?? null,
  })
  const repeated = (of: 'p50' | 'p95') => ({
    head: `${of} by repeat`,
    note: 'lowest to highest',
    html: ({ byRepeat }: TrialLatency) =>
      `${milliseconds(byRepeat[of][0])} to ${milliseconds(byRepeat[of][1])}`,
    value: ({ byRepeat }: TrialLatency) => byRepeat[of][1] / byRepeat[of][0],
  })
  return htmlTable<TrialLatency>({
    id: 'latency',
    caption: html`Milliseconds per query, one query at a time after a warm-up, nothing shared between trials. Each query counts with the median of its repeats. Brackets are ${term('order-statistic interval', 'order-statistic intervals')} over the queries; … means too few queries for this limit. p50, p95 and p99 are ${term('percentile', 'percentiles')}. Cold: the first query, before any index is open, timed once. ${latencyNotes(latency).join(' ')}`,
    columns: [
      { head: 'trial', left: true, html: ({ name }) => name },
      time('p50'),
      time('p95'),
      time('p99'),
      ...(latency.trials.some(({ engine }) => engine) ? [inEngine('p50'), inEngine('p95')] : []),
      ...(latency.trials.some(({ repeats }) => repeats > 1) ? [repeated('p50'), repeated('p95')] : []),
      { head: 'cold ms', html: ({ cold }) => milliseconds(cold), value: ({ cold }) => cold },
      {
        head: 'n',
        title: 'queries × repeats',
        html: ({ queries, repeats }) => `${quantity(queries)} × ${repeats}`,
      },
    ],
    rows: latency.trials,
  })
}

function bounds({ low, high }: Percentile): string {
  return `[${low === null ? '…' : milliseconds(low)}, ${high === null ? '…' : milliseconds(high)}]`
}

/** Number of rows shown before "show all". */
const SHOWN = 25

/** Input and output tokens per query: the context, the prompt and the strategy's model calls. */
export function tokensRead(trial: TrialSummary, { promptTokens }: PricingSummary) {
  const { inputTokens = 0, outputTokens = 0 } = trial.perQuery
  return { input: (tokensOf(trial) ?? 0) + promptTokens + inputTokens, output: outputTokens }
}

/** Dollars per 1,000 queries. Calls to models with a known price use that price, all else the price of the config. */
export function trialDollars(trial: TrialSummary, pricing: PricingSummary): number {
  const { input, output } = tokensRead(trial, pricing)
  const { calls = { inputTokens: 0, outputTokens: 0, dollars: 0 } } = trial
  const others = (input - calls.inputTokens) * pricing.input + (output - calls.outputTokens) * pricing.output
  return 1000 * (others / 1e6 + calls.dollars)
}

/** Table of dollars per 1,000 queries by trial; null if the config names no price. */
export function dollarsTable(summary: Summary): Html | null {
  const { pricing, trials, primary, context } = summary
  if (!pricing) return null
  const count = (head: string, of: (trial: TrialSummary) => number, note?: string): Column<TrialSummary> => ({
    head,
    note,
    html: (trial) => quantity(Math.round(of(trial))),
    value: of,
  })
  const { model, input, output } = pricing
  return htmlTable<TrialSummary>({
    id: 'dollars',
    caption: html`Dollars per 1,000 queries with <bdi>${model}</bdi> at $${input} per million input tokens and $${output} per million output tokens (${pricing.source}, ${pricing.date ?? 'undated'}). Tokens counted per query: the first ${plural(context.chunks, 'chunk')}, evidence, the question with an instruction, and the strategy's own model calls${trials.some(({ calls }) => calls && calls.dollars > 0) ? '; calls to models with their own price use that price' : ''}. Answer tokens are not counted: they cost the same in all trials.`,
    columns: [
      { head: 'trial', left: true, html: ({ name }) => name },
      count(`first ${plural(context.chunks, 'chunk')}`, ({ perQuery }) => perQuery.tokens ?? 0, 'tokens'),
      count('evidence', ({ perQuery }) => perQuery.evidenceTokens ?? 0, 'tokens'),
      count('prompt', () => pricing.promptTokens, 'tokens'),
      count('model calls, input', ({ perQuery }) => perQuery.inputTokens ?? 0, 'tokens'),
      count('model calls, output', ({ perQuery }) => perQuery.outputTokens ?? 0, 'tokens'),
      {
        head: 'dollars',
        note: 'per 1,000 queries',
        html: (trial) => dollarsInWords(trialDollars(trial, pricing)),
        value: (trial) => trialDollars(trial, pricing),
      },
    ],
    rows: [...trials].sort((a, b) => b.measures[primary].mean - a.measures[primary].mean),
    shown: SHOWN,
    sortable: true,
  })
}
