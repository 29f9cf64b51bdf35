import { findingsOf } from '../../src/report/findings/index.ts'
import { FORMAT } from '../../src/results/format.ts'
import type { ComparedRow, Summary } from '../../src/results/summary.ts'

const VERDICTS = ['better', 'worse', 'equivalent', 'cannot tell'] as const

interface Shape {
  readonly datasets?: readonly string[]
  readonly rows?: readonly string[]
  readonly family?: string
  /** Places of rows that the last dataset lacks. */
  readonly lacking?: readonly number[]
}

/** A summary over datasets with numbers that tell its cells apart. */
export function macroFixture({
  datasets = ['musique', 'hotpotqa'],
  rows = ['naive', 'bm25', 'hybrid'],
  family = 'best-per-strategy',
  lacking = [],
}: Shape = {}): Summary {
  const estimate = (mean: number) => ({ mean, low: mean - 0.05, high: mean + 0.05, n: 100 })
  const measured = (mean: number) => ({ 'recall@5': estimate(mean), 'mrr@10': estimate(mean / 2) })
  const compared = (name: string, place: number): ComparedRow => ({
    id: `id${place}`,
    name,
    baseline: 'id0',
    datasets: datasets.map((_, at) => ({
      n: 100,
      difference: 0.1 * place - 0.05 * at,
      verdict: at === 2 ? null : VERDICTS[(place + at) % 4],
    })),
    difference: 0.1 * place,
    low: 0.1 * place - 0.03,
    high: 0.1 * place + 0.03,
    p: 0.01,
    adjusted: 0.02,
    wins: 30,
    ties: 150,
    losses: 20,
    n: 200,
    effect: 0.3,
    detectable: 0.05,
    verdict: VERDICTS[place % 4],
  })
  const summary: Omit<Summary, 'findings'> = {
    format: FORMAT,
    experiment: 'fixture',
    depth: 100,
    measures: ['recall@5', 'mrr@10'],
    primary: 'recall@5',
    tuning: { kind: 'folds', folds: 5, seed: 0 },
    level: 0.05,
    context: { chunks: 5 },
    datasets: datasets.map((name, place) => ({
      name,
      folder: `d${place}`,
      result: 'a'.repeat(64),
      documents: 1000,
      queries: 101,
      judged: 100,
      judgedUnit: 'document',
      unanswerable: 1,
      categories: [],
      gold: 100,
      missing: 0,
      evaluability: 1,
    })),
    trials: [],
    tuned: rows.map((name, place) => ({
      id: `id${place}`,
      name,
      strategy: name.split(' ')[0],
      measures: lacking.includes(place) ? {} : measured(0.5 + 0.1 * place),
      categories: Object.fromEntries(
        datasets.flatMap((dataset, at) =>
          at === datasets.length - 1 && lacking.includes(place)
            ? []
            : [[dataset, measured(0.5 + 0.1 * place - 0.02 * at)]],
        ),
      ),
      chosen: [],
      optimism: null,
    })),
    comparison: {
      measure: 'recall@5',
      baseline: 'id0',
      level: 0.05,
      correction: 'max-t',
      family,
      margin: null,
      draws: 10_000,
      close: null,
      rows: rows.flatMap((name, place) =>
        place > 0 && !lacking.includes(place) ? [compared(name, place)] : [],
      ),
    },
    routing: [],
    health: { unsolved: [], small: [], trials: [] },
    indexes: [],
  }
  return { ...summary, findings: findingsOf(summary, []) }
}
