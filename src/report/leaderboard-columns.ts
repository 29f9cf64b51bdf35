import { type Leaderboard, type LeaderboardRow, sentWords, tokensName } from './leaderboard-rows.ts'
import { measured } from './measured.ts'
import { milliseconds, percent, points, quantity } from './numbers.ts'
import type { Column } from './table.ts'

/** A number that a row may have: null and '' without it. */
export type NumberColumn = Column<LeaderboardRow> & {
  readonly text: (row: LeaderboardRow) => string
  readonly value: (row: LeaderboardRow) => number | null
}

const ENGINE = 'p50 of the part of a query that its engines report'

/** Number columns of a leaderboard, for all output formats. */
export function numberColumns(board: Leaderboard, digits?: number) {
  const column = (
    head: string,
    value: NumberColumn['value'],
    shown: (value: number) => string,
    title?: string,
  ): NumberColumn => ({
    head,
    title,
    value,
    text: (row) => {
      const own = value(row)
      return own === null ? '' : shown(own)
    },
  })
  const time = (of: 'p50' | 'p95' | 'p99') =>
    column(`${of} ms`, ({ latency }) => latency?.[of].value ?? null, milliseconds)
  const mean = (
    measure: string,
    of: (row: LeaderboardRow) => LeaderboardRow['measures'] | null | undefined,
  ) => ({
    value: (row: LeaderboardRow) => of(row)?.[measure]?.mean ?? null,
    text: (row: LeaderboardRow) => measured(board, measure, of(row)?.[measure]?.mean, digits),
  })
  const datasets = board.one ? [] : board.datasets
  // Rows over several datasets have no tokens.
  const context = board.one?.context ?? { chunks: 0 }
  const counted = board.measures.includes(tokensName({ context }))
  return {
    /** The primary measure on each of several datasets. */
    datasets: datasets.map(
      ({ name: head }, index): NumberColumn => ({
        head,
        ...mean(board.primary, ({ datasets }) => datasets[index]),
      }),
    ),
    measure: (measure: string): NumberColumn => ({
      head: measure,
      ...mean(measure, ({ measures }) => measures),
    }),
    optimism: column(
      'optimism',
      ({ optimism }) => optimism,
      points,
      'points that the best trial gains on the queries that selected it',
    ),
    /** Without values where a measure counts the tokens already. */
    tokens: column(
      tokensName({ context }),
      ({ tokens }) => (counted ? null : tokens),
      (tokens) => quantity(Math.round(tokens)),
      `tokens per query in ${sentWords({ context })}`,
    ),
    seeds: column('seeds', ({ seeds }) => seeds, quantity, 'number of seeds that the row is the mean over'),
    modelCalls: column('model calls', ({ modelCalls }) => modelCalls, quantity, 'per query'),
    fallbacks: column(
      'fallbacks',
      ({ fallbacks }) => fallbacks,
      (share) => `${percent(share)} %`,
      'share of queries that used a fallback',
    ),
    failed: column(
      'failed',
      ({ failed }) => failed,
      (failed) => (failed > 0 ? quantity(failed) : ''),
      'queries that failed; each counts as 0',
    ),
    times: [time('p50'), time('p95'), time('p99')],
    engine: column('engine ms', ({ latency }) => latency?.engine?.p50.value ?? null, milliseconds, ENGINE),
  }
}

/** True if any row has the number. */
export function isIn(rows: readonly LeaderboardRow[]): (column: NumberColumn) => boolean {
  return ({ value }) => rows.some((row) => value(row) !== null)
}
