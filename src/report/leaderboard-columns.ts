import type { TrialLatency } from '../results/latency.ts'
import type { Estimate } from '../results/summary.ts'
import type { Percentile } from '../statistics/percentile.ts'
import {
  confidence,
  type Leaderboard,
  type LeaderboardRow,
  sentWords,
  tokensName,
} from './leaderboard-rows.ts'
import { isCount, measured } from './measured.ts'
import { formatted, milliseconds, type NumberFormat } from './numbers.ts'
import type { Column } from './table.ts'

/** A number that a row may have: null and '' without it. */
export type NumberColumn = Column<LeaderboardRow> & {
  readonly format: NumberFormat
  readonly text: (row: LeaderboardRow) => string
  readonly value: (row: LeaderboardRow) => number | null
  /** Interval of the value. */
  readonly ends?: (row: LeaderboardRow) => Pick<Estimate | Percentile, 'low' | 'high'> | null | undefined
}

/** Milliseconds; p50 is marked where the time of model calls is unknown. */
function timeText(latency: TrialLatency, of: 'p50' | 'p95' | 'p99'): string {
  return `${milliseconds(latency[of].value)}${latency.searchOnly && of === 'p50' ? ' (search only)' : ''}`
}

type Means = Readonly<Record<string, Estimate>> | null | undefined

/** Number columns of a leaderboard, for all output formats. */
export function numberColumns(board: Leaderboard, digits?: number) {
  const column = (
    head: string,
    value: NumberColumn['value'],
    format: NumberFormat,
    title?: string,
  ): NumberColumn => ({
    head,
    title,
    value,
    format,
    text: (row) => {
      const number = value(row)
      return number === null ? '' : formatted(number, format)
    },
  })
  const time = (of: 'p50' | 'p95' | 'p99'): NumberColumn => ({
    ...column(
      `${of} ms`,
      ({ latency }) => latency?.[of].value ?? null,
      'milliseconds',
      'milliseconds of a query, one at a time, nothing shared between trials',
    ),
    text: ({ latency }) => (latency ? timeText(latency, of) : ''),
    ends: ({ latency }) => latency?.[of],
  })
  const mean = (head: string, measure: string, of: (row: LeaderboardRow) => Means): NumberColumn => ({
    ...column(
      head,
      (row) => of(row)?.[measure]?.mean ?? null,
      isCount(board, measure) ? 'count' : 'percent',
      `mean ${measure}; brackets are ${confidence(board.level)}intervals`,
    ),
    text: (row) => measured(board, measure, of(row)?.[measure]?.mean, digits),
    ends: (row) => of(row)?.[measure],
  })
  const datasets = board.isMacro ? board.datasets : []
  const { context } = board.summary
  const counted = board.measures.includes(tokensName({ context }))
  const perQuery = (head: string, counter: string, title: string) =>
    column(head, ({ perQuery }) => perQuery[counter] ?? null, 'count', title)
  return {
    /** The primary measure on each of several datasets. */
    datasets: datasets.map(({ name }) => mean(name, board.primary, ({ groups }) => groups[name])),
    /** The primary measure by category. */
    categories: (board.isMacro ? [] : board.summary.datasets[0].categories).map(({ name }) =>
      mean(name, board.primary, ({ groups }) => groups[name]),
    ),
    measure: (measure: string): NumberColumn => mean(measure, measure, ({ measures }) => measures),
    optimism: column(
      'optimism',
      ({ optimism }) => optimism,
      'points',
      'points that the best trial gains on the queries that selected it',
    ),
    /** Without values where a measure counts the tokens already. */
    tokens: column(
      tokensName({ context }),
      ({ tokens }) => (counted ? null : tokens),
      'count',
      `tokens per query in ${sentWords({ context })}`,
    ),
    evidence: perQuery('evidence tokens', 'evidenceTokens', 'part of the tokens that is evidence'),
    input: perQuery('input tokens', 'inputTokens', "tokens per query that the strategy's model calls read"),
    output: perQuery(
      'output tokens',
      'outputTokens',
      "tokens per query that the strategy's model calls write",
    ),
    dollars: column(
      '$/1,000',
      ({ dollars }) => dollars,
      'dollars',
      'dollars per 1,000 queries: tokens read, and model calls of the strategy',
    ),
    seeds: column('seeds', ({ seeds }) => seeds, 'count', 'number of seeds that the row is the mean over'),
    modelCalls: column('model calls', ({ modelCalls }) => modelCalls, 'count', 'per query'),
    fallbacks: column(
      'fallbacks',
      ({ fallbacks }) => fallbacks,
      'share',
      'share of queries that used a fallback',
    ),
    failed: column('failed', ({ failed }) => failed, 'count', 'queries that failed; each counts as 0'),
    times: [time('p50'), time('p95'), time('p99')],
    cold: column(
      'cold ms',
      ({ latency }) => latency?.cold ?? null,
      'milliseconds',
      'the first query, before any index is open, timed once',
    ),
    engine: column(
      'engine ms',
      ({ latency }) => latency?.engine?.p50.value ?? null,
      'milliseconds',
      'p50 of the part of a query that its engines report',
    ),
  }
}

/** True if any row has the number. */
export function isIn(rows: readonly LeaderboardRow[]): (column: NumberColumn) => boolean {
  return ({ value }) => rows.some((row) => value(row) !== null)
}
