import { findingsOf } from '../../src/report/findings/index.ts'
import { FORMAT } from '../../src/results/format.ts'
import type { Latency } from '../../src/results/latency.ts'
import type {
  ComparedRow,
  Estimate,
  RoutingSummary,
  Summary,
  TrialSummary,
  TunedSummary,
} from '../../src/results/summary.ts'
import { type Label, STAGES } from './fixture.ts'
import type { SimulatedQuery, SimulatedTrial } from './simulate.ts'

export interface Simulation {
  readonly name: string
  readonly trials: readonly SimulatedTrial[]
  readonly queries: readonly SimulatedQuery[]
  readonly labels: readonly Label[]
  readonly folds: boolean
  readonly depth: number
  readonly measures: readonly string[]
  readonly documents: number
}

/** The summary of simulated ranks. Intervals are normal ones: a fixture only needs them to be plausible. */
export function summarize({ name, trials, queries, labels, folds, depth, measures, documents }: Simulation) {
  const judged = queries.flatMap(({ answerable }, place) => (answerable ? [place] : []))
  const ranks = new Map<number, number[]>()
  for (const { trial, query, rank } of labels) {
    const key = trial * queries.length + query
    ranks.set(key, [...(ranks.get(key) ?? []), rank])
  }
  const per = (t: number, measure: string) =>
    judged.map((q) => measureOf(measure, ranks.get(t * queries.length + q)!))
  const table = trials.map((_, t) => new Map(measures.map((measure) => [measure, per(t, measure)])))
  const categories = [...new Set(queries.map(({ category }) => category))].sort()
  const rows = trials.map((trial, t): TrialSummary => {
    const trialLabels = labels.filter((label) => label.trial === t)
    const channels: Record<string, number> = {}
    for (const { rank, channel } of trialLabels)
      if (rank > 0) channels[channel] = (channels[channel] ?? 0) + 1
    const estimates = (wanted: (place: number) => boolean) =>
      Object.fromEntries(
        measures.map((measure) => [
          measure,
          estimate(table[t].get(measure)!.filter((_, i) => wanted(judged[i]))),
        ]),
      )
    return {
      id: t.toString(16).padStart(16, '0'),
      name: trial.name,
      strategy: trial.strategy,
      params: trial.params,
      varied: trial.varied,
      before: [],
      after: [],
      variant: 0,
      measures: estimates(() => true),
      categories: Object.fromEntries(
        categories.map((category) => [category, estimates((q) => queries[q].category === category)]),
      ),
      perQuery: {
        retrieved: depth,
        tokens: trial.tokens / 2,
        evidenceTokens: trial.strategy.startsWith('graphrag-local') ? 14_070 : 0,
        ...(trial.channels.includes('graph')
          ? { fallbacks: 0.05, links: 2.4, linked: 0.95, modelCalls: 1 }
          : {}),
      },
      fallbacks: trial.channels.includes('graph') ? [{ when: 'nothing is linked', share: 0.05 }] : [],
      failed: trial.strategy.startsWith('graphrag-local') ? 2 : 0,
      failures: trial.strategy.startsWith('graphrag-local')
        ? [{ query: (queries[5] ?? queries[0]).id, step: 'expand', message: 'the entity has no chunk' }]
        : [],
      funnel: STAGES.map((stage) => ({
        stage,
        lost: trialLabels.filter((label) => label.stage === stage).length,
      })),
      channels,
      finalist: false,
    }
  })
  const primary = measures[0]
  const mean = (row: TrialSummary) => row.measures[primary].mean
  const best = [...new Set(trials.map(({ strategy }) => strategy))].map(
    (strategy) => rows.filter((row) => row.strategy === strategy).sort((a, b) => mean(b) - mean(a))[0],
  )
  for (const row of best) (row as { finalist: boolean }).finalist = true
  const place = (row: TrialSummary) => rows.indexOf(row)
  const base = table[0].get(primary)!
  const compared = best
    .filter((row) => place(row) !== 0)
    .map((row): ComparedRow => {
      const differences = table[place(row)].get(primary)!.map((value, i) => value - base[i])
      const { mean: difference, low, high } = estimate(differences)
      const p = low > 0 || high < 0 ? 0.0098 : 0.31
      const spread = Math.sqrt(
        differences.reduce((sum, d) => sum + (d - difference) ** 2, 0) / (differences.length - 1),
      )
      const verdict = low > 0 ? 'better' : high < 0 ? 'worse' : 'cannot tell'
      return {
        id: folds ? `tuned:${row.strategy}` : row.id,
        name: folds ? `${row.strategy} (tuned)` : row.name,
        baseline: folds ? 'tuned:naive' : rows[0].id,
        n: differences.length,
        datasets: [{ n: differences.length, difference, verdict }],
        difference,
        low,
        high,
        p,
        adjusted: Math.min(1, p * (best.length - 1)),
        wins: differences.filter((d) => d > 0).length,
        ties: differences.filter((d) => d === 0).length,
        losses: differences.filter((d) => d < 0).length,
        effect: spread ? difference / spread : 0,
        detectable: (2.8 * spread) / Math.sqrt(differences.length),
        verdict,
      }
    })
  const tuned = folds
    ? best.map(
        (row): TunedSummary => ({
          id: `tuned:${row.strategy}`,
          strategy: row.strategy,
          name: `${row.strategy} (tuned)`,
          measures: row.measures,
          categories: row.categories,
          chosen: [row.id],
          optimism: 0.017,
        }),
      )
    : []
  const measured: Omit<Summary, 'findings'> = {
    format: FORMAT,
    experiment: name,
    datasets: [
      {
        name,
        documents,
        judgedUnit: 'document',
        queries: queries.length,
        judged: judged.length,
        unanswerable: queries.length - judged.length,
        categories: categories.map((name) => ({
          name,
          queries: queries.filter(({ category }) => category === name).length,
        })),
        gold: labels.filter(({ trial }) => trial === 0).length,
        missing: 1,
        evaluability: 1 - 1 / judged.length,
      },
    ],
    depth,
    context: { chunks: 5 },
    measures,
    primary,
    level: 0.05,
    tuning: folds ? { kind: 'folds', folds: 5, seed: 1 } : { kind: 'none' },
    trials: rows,
    tuned,
    comparison: {
      measure: primary,
      baseline: folds ? 'tuned:naive' : rows[0].id,
      level: 0.05,
      correction: 'max-t',
      family: 'best-per-strategy',
      margin: null,
      draws: 10000,
      rows: compared,
      close: null,
    },
    routing: [
      routingOf(
        trials,
        rows,
        [0, 1].map((t) => table[t].get(primary)!),
      ),
    ],
    health: {
      unsolved: judged
        .map((q, i) => ({
          id: queries[q].id,
          found: table.some((byMeasure) => byMeasure.get(primary)![i] > 0),
        }))
        .flatMap(({ id, found }) => (found ? [] : [id])),
      small: [],
      trials: best.map((row) => {
        const values = table[place(row)].get(primary)!
        return {
          id: row.id,
          name: row.name,
          ceiling: values.filter((value) => value === 1).length / values.length,
          ties: { share: 0.05, worst: mean(row) - 0.01, best: mean(row) + 0.02 },
          unjudged: null,
        }
      }),
    },
    indexes: [
      {
        name: 'lsa',
        prepare: { chunk: 'passages', embedder: 'lsa' },
        counts: {
          chunks: documents,
          entities: 1210,
          relationships: 3380,
          isolatedChunks: 4,
          queriesWithAnswers: 40,
          queriesWithAnswerEntity: 25,
        },
      },
    ],
  }
  const findings = findingsOf(measured, [
    {
      severity: 'warning',
      about: 'Not read',
      text: '2 of 400 chunks are longer than the 256 tokens that mini reads.',
    },
    { severity: 'note', about: 'Data', text: '3 queries have no answers.' },
  ])
  const summary: Summary = { ...measured, findings }
  const latency: Latency = {
    load: { before: 0.5, highest: 1.2, cores: 2 },
    trials: best.map((row, i) => {
      const time = (value: number) => ({ value, low: value * 0.93, high: value * 1.09 })
      return {
        id: row.id,
        name: row.name,
        queries: 50,
        repeats: 3,
        p50: time(0.8 + 1.7 * i),
        p95: time(1.2 + 2.9 * i),
        p99: time(1.9 + 4 * i),
        byRepeat: { p50: [0.7 + 1.7 * i, 0.9 + 1.7 * i], p95: [1.1 + 2.9 * i, 1.4 + 2.9 * i] },
        cold: 31 + i,
      }
    }),
  }
  return { summary, latency, scores: scoreColumns(table, measures, judged) }
}

/** A router between the first two trials that takes turns. */
function routingOf(
  trials: readonly SimulatedTrial[],
  rows: readonly TrialSummary[],
  values: readonly (readonly number[])[],
): RoutingSummary {
  const means = values.map((column) => estimate(column).mean)
  const best = means[0] >= means[1] ? 0 : 1
  const queries = values[0].map((first, i) => ({ took: i % 2, scores: [first, values[1][i]] }))
  const confusion = [
    [0, 0],
    [0, 0],
  ]
  for (const { took, scores } of queries)
    confusion[took][scores[took] === Math.max(...scores) ? took : 1 - took]++
  const top = estimate(queries.map(({ scores }) => Math.max(...scores))).mean
  const mean = estimate(queries.map(({ took, scores }) => scores[took])).mean
  const value = (mean - means[best]) / (top - means[best])
  return {
    id: 'router',
    name: `router of ${trials[0].name} and ${trials[1].name}`,
    arms: [0, 1].map((t) => ({
      name: trials[t].name,
      trial: rows[t].id,
      chosen: queries.filter(({ took }) => took === t).length,
    })),
    mean,
    missing: [],
    best: { name: trials[best].name, mean: means[best], heldOut: false },
    oracle: top,
    share:
      top > means[best]
        ? { value, low: value - 0.3, high: value + 0.3, n: queries.length, level: 0.05 }
        : null,
    tied: queries.filter(({ scores }) => scores[0] === scores[1]).length / queries.length,
    confusion,
  }
}

function scoreColumns(
  table: readonly ReadonlyMap<string, readonly number[]>[],
  measures: readonly string[],
  judged: readonly number[],
) {
  const rows = table.length * judged.length
  return {
    trial: Int32Array.from({ length: rows }, (_, row) => Math.floor(row / judged.length)),
    query: Int32Array.from({ length: rows }, (_, row) => judged[row % judged.length]),
    values: Object.fromEntries(
      measures.map((name) => [name, Float64Array.from(table.flatMap((scores) => scores.get(name) ?? []))]),
    ),
  }
}

function measureOf(measure: string, ranks: readonly number[]): number {
  const budget = /@(\d+)tok$/.exec(measure)
  const k = budget ? Number(budget[1]) / 110 : Number(measure.split('@')[1])
  const relevantRanks = ranks.filter((rank) => rank > 0 && rank <= k)
  if (measure.startsWith('recall')) return relevantRanks.length / ranks.length
  if (measure.startsWith('mrr')) return relevantRanks.length ? 1 / Math.min(...relevantRanks) : 0
  const gain = (list: readonly number[]) => list.reduce((sum, rank) => sum + 1 / Math.log2(rank + 1), 0)
  return gain(relevantRanks) / gain(ranks.map((_, i) => i + 1))
}

function estimate(values: readonly number[]): Estimate & { low: number; high: number } {
  const n = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(n, 1)
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(n - 1, 1)
  const half = 1.96 * Math.sqrt(variance / Math.max(n, 1))
  return { mean, low: bounded(mean - half, values), high: bounded(mean + half, values), n }
}

/** No interval of a mean leaves the range of what was averaged. */
function bounded(value: number, values: readonly number[]): number {
  return Math.min(Math.max(value, Math.min(...values)), Math.max(...values))
}
