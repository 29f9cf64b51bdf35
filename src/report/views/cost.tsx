import type { Latency } from '../../results/latency.ts'
import type { Summary } from '../../results/summary.ts'
import { type Board, scaleOf } from '../board.ts'
import type { Chart } from '../charts/chart.ts'
import { paretoPoints, paretoRows, paretoSpec } from '../charts/pareto.ts'
import { BoardTable } from '../components/board-table.tsx'
import { latencyNotes } from '../latency-notes.ts'
import { sentWords, tokensName } from '../notes.ts'
import { plural, quantity } from '../numbers.ts'
import type { PageSection } from './section.tsx'

interface Axis {
  readonly name: string
  readonly column: number
  readonly note: string
}

const SHOWN = 25

/** Quality against tokens, dollars or time. */
export function costView(
  summary: Summary,
  board: Board,
  latency: Latency | null,
  chosen: readonly number[],
): PageSection | null {
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

function axesOf(summary: Summary, { columns }: Board, latency: Latency | null): Axis[] {
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
