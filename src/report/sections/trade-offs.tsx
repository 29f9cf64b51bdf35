import type { Latency } from '../../results/latency.ts'
import type { Summary } from '../../results/summary.ts'
import { type Board, scaleOf } from '../board.ts'
import type { Meta } from '../browser/types.d.ts'
import type { Chart, ChartSpec } from '../charts/chart.ts'
import { paretoPoints, paretoRows, paretoSpec } from '../charts/pareto.ts'
import { BoardTable } from '../components/board-table.tsx'
import { colour, Key, marked, shape } from '../components/strategy-marks.tsx'
import { latencyNotes, sentWords, tokensName } from '../notes.ts'
import { plural, quantity } from '../numbers.ts'
import { representing } from '../representatives.ts'
import { Figure, type PageData, type PageSection } from './section.tsx'

const SHOWN = 25

/** Quality against tokens, dollars or time. */
export function costSection({
  summary,
  board,
  latency,
  chosen,
}: Pick<PageData, 'summary' | 'board' | 'latency' | 'chosen'>): PageSection | null {
  const axes = axesOf(summary, board, latency).filter(
    ({ column }) => paretoPoints(board, column, chosen).length > 1,
  )
  const trials = board.seen.length > 0 ? board.seen : board.ranked
  const columns = board.columns.flatMap(({ isCost, value }, at) =>
    isCost && trials.some((row) => value(row) !== null) ? [at] : [],
  )
  if (columns.length === 0) return null
  const charts = axes.map(({ name, column }): Chart => {
    const rows = paretoRows(paretoPoints(board, column, chosen))
    const { format } = board.columns[column]
    const digits = { dollars: '$,.3~r', milliseconds: ',.3~r' }[format as string]
    return {
      id: `cost-${format}`,
      spec: paretoSpec(board.strategies, rows, { x: name, y: summary.primary }, digits ?? ',.0f'),
      rows: null,
      caption: null,
      label: `${summary.primary} against ${name} for ${rows.length} trials`,
    }
  })
  const rows = trials.slice(0, SHOWN)
  const body = (
    <>
      {axes.length > 0 && <div data-figure="cost" />}
      <details class="table">
        <summary>Costs of each trial</summary>
        <BoardTable
          id="cost-table"
          board={{ ...board, isTuned: false }}
          rows={rows}
          columns={columns}
          scale={scaleOf(board.columns[0], [...board.ranked, ...board.seen])}
          label="Costs of each trial"
        />
        {axes.map(({ note }) => (
          <p class="caption">{note}</p>
        ))}
      </details>
    </>
  )
  return { id: 'cost', title: 'Trade-offs', body, charts, meta: { axes } }
}

function axesOf(summary: Summary, { columns }: Board, latency: Latency | null): Meta['axes'] {
  const { pricing, context, trials } = summary
  const [dataset] = summary.datasets
  const sent = sentWords(summary)
  const axes = [
    {
      cost: tokensName(summary),
      name: `${tokensName(summary)} per query`,
      note: `Tokens: mean of ${sent}, over all ${quantity(dataset.queries)} queries.`,
    },
    {
      cost: 'dollars',
      name: 'dollars per 1,000 queries',
      note: pricing
        ? `Dollars: with ${pricing.model} at $${pricing.input} per million input tokens and $${pricing.output} per million output tokens (${pricing.source}, ${pricing.date ?? 'undated'}), for the first ${plural(context.chunks, 'chunk')}, evidence, a question with an instruction of ${plural(pricing.promptTokens, 'token')}, and the strategy's own model calls${trials.some(({ calls }) => calls && calls.dollars > 0) ? '; calls to models with their own price use that price' : ''}. Answer tokens are not counted: they cost the same in all trials.`
        : '',
    },
    {
      cost: 'p50 ms',
      name: 'p50 ms',
      note: latency
        ? `Horizontal lines are intervals of the median. One query at a time after a warm-up. ${latencyNotes(latency).join(' ')}`
        : '',
    },
  ]
  return axes.flatMap(({ cost, name, note }) => {
    const column = columns.findIndex((column) => column.name === cost)
    return column < 0 ? [] : [{ name, column, note }]
  })
}

/** Recall against tokens read, by two or more measures `recall_by_token`. */
export function readingSection({
  summary,
  chosen,
}: Pick<PageData, 'summary' | 'chosen'>): PageSection | null {
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
