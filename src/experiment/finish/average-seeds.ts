import type { CompiledTrial } from '../plan/compile.ts'
import type { Merged } from './merge.ts'

/**
 * Means over a row's seeds of values, bounds under ties and counters. Rankings, ranks, stages and tokens stay those of
 * the first seed. A query that failed with any seed counts as failed, with value 0 for that seed.
 */
export function averageSeeds(all: Merged, rows: readonly Pick<CompiledTrial, 'seeds'>[]): Merged {
  const { queries } = all
  const trials = rows.length
  // In the order of `withSeeds`.
  let next = trials
  const trialsOf = rows.map(({ seeds }, row) => [row, ...seeds.map(() => next++)])
  if (next === trials) return all
  const rowOf = new Map(trialsOf.flatMap((own, row) => own.map((trial) => [trial, row])))
  const ofTrial = (column: Float64Array, trial: number) =>
    column.subarray(trial * queries, (trial + 1) * queries)
  for (const column of [...all.values, all.worst, all.best])
    for (const own of trialsOf)
      if (own.length > 1) ofTrial(column, own[0]).set(meansOf(own.map((trial) => ofTrial(column, trial))))
  const labels = all.labelOffsets[queries]
  return {
    ...all,
    trials,
    values: all.values.map((column) => column.subarray(0, trials * queries)),
    worst: all.worst.subarray(0, trials * queries),
    best: all.best.subarray(0, trials * queries),
    retrieved: all.retrieved.subarray(0, trials * queries),
    tokens: all.tokens.subarray(0, trials * queries),
    evidenceTokens: all.evidenceTokens.subarray(0, trials * queries),
    counters: trialsOf.map((own) => meanCounts(own.map((trial) => all.counters[trial]))),
    arms: new Map([...all.arms].filter(([trial]) => trial < trials)),
    fallbacks: all.fallbacks.slice(0, trials),
    failures: failuresOf(all.failures, rowOf),
    ranks: all.ranks.subarray(0, trials * labels),
    scores: all.scores.subarray(0, trials * labels),
    stages: all.stages.subarray(0, trials * labels),
    channels: all.channels.subarray(0, trials * labels),
  }
}

function meansOf(columns: readonly Float64Array[]): Float64Array {
  const means = new Float64Array(columns[0].length)
  for (const column of columns)
    for (let query = 0; query < means.length; query++) means[query] += column[query]
  return means.map((sum) => sum / columns.length)
}

function meanCounts(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const own of counts)
    for (const [name, count] of Object.entries(own)) sums[name] = (sums[name] ?? 0) + count
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum / counts.length]))
}

/** First failure of each (row, query). */
function failuresOf(failures: Merged['failures'], rowOf: ReadonlyMap<number, number>): Merged['failures'] {
  const byCell = new Map<string, Merged['failures'][number]>()
  for (const failure of failures) {
    const trial = rowOf.get(failure.trial) as number
    const key = `${trial} ${failure.query}`
    if (!byCell.has(key)) byCell.set(key, { ...failure, trial })
  }
  return [...byCell.values()].sort((a, b) => a.trial - b.trial || a.query - b.query)
}
