import { FORMAT } from '../../src/results/format.ts'
import type { MacroSummary } from '../../src/results/macro.ts'
import type { ComparedRow } from '../../src/results/summary.ts'

const VERDICTS = ['better', 'worse', 'equivalent', 'cannot tell'] as const

interface Shape {
  readonly datasets?: readonly string[]
  readonly rows?: readonly string[]
  readonly family?: string
  /** Places of rows that the last data set lacks. */
  readonly lacking?: readonly number[]
}

/** A table over data sets with numbers that tell its cells apart. */
export function macroFixture({
  datasets = ['musique', 'hotpotqa'],
  rows = ['naive', 'bm25', 'hybrid'],
  family = 'best-per-strategy',
  lacking = [],
}: Shape = {}): MacroSummary {
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
  return {
    format: FORMAT,
    experiment: 'fixture',
    depth: 100,
    measures: ['recall@5', 'mrr@10'],
    primary: 'recall@5',
    tuning: { kind: 'folds', folds: 5, seed: 0 },
    level: 0.05,
    datasets: datasets.map((name, place) => ({
      name,
      folder: `d${place}`,
      result: 'a'.repeat(64),
      documents: 1000,
      queries: 101,
      judged: 100,
      judgedUnit: 'document',
    })),
    kind: 'tuned',
    rows: rows.map((name, place) => ({
      id: `id${place}`,
      name,
      strategy: name.split(' ')[0],
      varied: Object.fromEntries(
        [...name.matchAll(/ (\S+)=(\S+)/g)].map(([, param, value]) => [param, value]),
      ),
      datasets: datasets.map((_, at) =>
        at === datasets.length - 1 && lacking.includes(place)
          ? null
          : measured(0.5 + 0.1 * place - 0.02 * at),
      ),
      macro: lacking.includes(place) ? null : measured(0.5 + 0.1 * place),
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
    made: 'b'.repeat(64),
    result: 'c'.repeat(64),
  }
}
