import { meanOf } from '../../metrics/evaluate.ts'
import type { HealthSummary, TrialHealth } from '../../results/summary.ts'
import { ofTrial } from './merge.ts'
import type { Scored } from './rows.ts'

/** Measures how informative the primary measure is, for the trials at these indexes. */
export function describeHealth(
  { session, merged, primary, valuesOf }: Scored,
  indexes: readonly number[],
): HealthSummary {
  const { plan, trials, queries, corpora } = session
  const counts = (query: number) => !Number.isNaN(valuesOf(0)[query])
  const pooled = corpora[0].labels.some(({ grades }, query) => counts(query) && grades.includes(0))
  const k = Math.min(primary.k, plan.experiment.depth)
  const counted = [...queries.keys()].filter(counts)

  /** Mean share of unjudged units in the first k; 0 without results. */
  const unjudgedShare = (trial: number): number => {
    const shares = counted.map((query) => {
      const { grades } = corpora[trials[trial].recipe].labels[query]
      const begin = trial * merged.labelOffsets[merged.queries] + merged.labelOffsets[query]
      const ranks = merged.ranks.subarray(begin, begin + grades.length)
      const shown = Math.min(k, merged.retrieved[trial * merged.queries + query])
      // A chunk may overlap several labelled spans.
      const judged = new Set(ranks.filter((rank, label) => grades[label] >= 0 && rank > 0 && rank <= k))
      return shown === 0 ? 0 : 1 - judged.size / shown
    })
    return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, counted.length)
  }

  return {
    unsolved:
      primary.metric.better === 'higher'
        ? unsolvedQueries(trials.map((_, trial) => valuesOf(trial))).map((query) => queries[query].id)
        : [],
    trials: indexes.map((trial): TrialHealth => {
      const [worst, best] = [merged.worst, merged.best].map((column) =>
        ofTrial(column, trial, merged.queries),
      )
      return {
        id: trials[trial].id,
        name: trials[trial].name,
        ties:
          primary.needs === 'labels'
            ? {
                share: decidedByTies(worst, best),
                worst: meanOf(primary, worst),
                best: meanOf(primary, best),
              }
            : null,
        unjudged: pooled || trials[trial].strategy === 'run' ? { k, share: unjudgedShare(trial) } : null,
      }
    }),
  }
}

/** Queries on which no row of [trial][query] is above 0; NaN if a query does not count. */
export function unsolvedQueries(matrix: readonly Float64Array[]): number[] {
  const indexes: number[] = []
  for (let query = 0; query < (matrix[0]?.length ?? 0); query++)
    if (matrix.every((row) => !(row[query] > 0)) && matrix.some((row) => row[query] === 0))
      indexes.push(query)
  return indexes
}

/** Share of queries whose value depends on the order of ties. */
export function decidedByTies(worst: ArrayLike<number>, best: ArrayLike<number>): number {
  let [counted, decided] = [0, 0]
  for (let query = 0; query < best.length; query++) {
    if (Number.isNaN(best[query])) continue
    counted++
    if (best[query] !== worst[query]) decided++
  }
  return counted === 0 ? 0 : decided / counted
}
