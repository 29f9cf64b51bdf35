import { findingsOf } from '../../src/report/findings/index.ts'
import { FORMAT } from '../../src/results/format.ts'
import type { ComparedRow, Estimate, Summary, TrialSummary } from '../../src/results/summary.ts'

/** A mean with an interval, of so many queries. */
export function estimate(mean: number, half: number | null = 0.05, n = 100): Estimate {
  return half === null ? { mean, low: null, high: null, n } : { mean, low: mean - half, high: mean + half, n }
}

export interface SmallTrial {
  readonly name: string
  readonly mean: number
  readonly half?: number | null
  readonly failed?: number
  readonly categories?: Readonly<Record<string, Estimate>>
}

export interface Small {
  readonly trials: readonly SmallTrial[]
  /** Names of the rows that were compared with the first trial, each with what its row differs in. */
  readonly compared?: Readonly<Record<string, Partial<ComparedRow>>>
  readonly n?: number
  readonly primary?: string
  readonly more?: Partial<Summary>
}

/** A difference of `own` to the trial `a`. */
export function comparedRow(row: Partial<ComparedRow>): ComparedRow {
  return {
    id: 'b',
    name: 'b',
    baseline: 'a',
    difference: 0.1,
    low: 0.02,
    high: 0.18,
    p: 0.004,
    adjusted: 0.008,
    wins: 40,
    ties: 40,
    losses: 20,
    effect: 0.3,
    detectable: 0.05,
    verdict: 'better',
    n: 100,
    datasets: [{ n: 100, difference: 0.1, verdict: 'better' }],
    ...row,
  }
}

/** A summary of a few trials, told by their names; the first is the baseline where anything is compared. */
export function smallSummary({ trials, compared, n = 100, primary = 'recall@5', more }: Small): Summary {
  const rows = Object.entries(compared ?? {}).map(([name, row]) => comparedRow({ id: name, name, ...row }))
  const summary: Omit<Summary, 'findings'> = {
    format: FORMAT,
    experiment: 'small',
    datasets: [
      {
        name: 'set',
        documents: 1000,
        judgedUnit: 'document',
        queries: n,
        judged: n,
        unanswerable: 0,
        categories: [],
        gold: n,
        missing: 0,
        evaluability: 1,
      },
    ],
    depth: 100,
    context: { chunks: 5 },
    measures: [primary],
    primary,
    level: 0.05,
    tuning: { kind: 'none' },
    trials: trials.map(
      ({ name, mean, half = 0.05, failed = 0, categories = {} }): TrialSummary => ({
        id: name,
        name,
        strategy: name,
        params: {},
        varied: {},
        before: [],
        after: [],
        variant: 0,
        measures: { [primary]: estimate(mean, half, n) },
        categories: Object.fromEntries(
          Object.entries(categories).map(([category, own]) => [category, { [primary]: own }]),
        ),
        perQuery: {},
        fallbacks: [],
        failed,
        failures: failed > 0 ? [{ query: 'q1', step: 'expand', message: 'no chunk' }] : [],
        funnel: [],
        channels: {},
        finalist: true,
      }),
    ),
    tuned: [],
    comparison: compared
      ? {
          measure: primary,
          baseline: trials[0].name,
          level: 0.05,
          correction: 'max-t',
          family: 'best-per-strategy',
          margin: null,
          draws: 10_000,
          rows,
          close: null,
        }
      : null,
    routing: [],
    health: { unsolved: [], small: [], trials: [] },
    indexes: [],
    ...more,
  }
  return { ...summary, findings: findingsOf(summary, []) }
}
