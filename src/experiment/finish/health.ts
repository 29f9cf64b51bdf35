import { evaluate, meanOf } from '../../metrics/evaluate.ts'
import { condensed, unjudgedRelevant } from '../../metrics/unjudged.ts'
import type { HealthSummary, TrialHealth } from '../../results/summary.ts'
import type { Session } from '../shard/session.ts'
import { ceilingShare, decidedByTies, smallCategories, unsolvedQueries } from './health-checks.ts'
import type { Merged } from './merge.ts'

/** Measures how informative the primary measure is, for the trials at these indexes. */
export function describeHealth(
  { plan, trials, measures, queries, corpora }: Session,
  merged: Merged,
  indexes: readonly number[],
): HealthSummary {
  const { compare, depth } = plan.experiment
  const at = measures.findIndex(({ name }) => name === compare.by)
  const primary = measures[at]
  const { bounded, better } = primary.metric
  const of = (column: Float64Array, trial: number) =>
    column.subarray(trial * merged.queries, (trial + 1) * merged.queries)
  const valuesOf = (trial: number) => of(merged.values[at], trial)
  const counts = (query: number) => !Number.isNaN(merged.values[at][query])
  const pooled = corpora[0].labels.some(({ grades }, query) => counts(query) && grades.includes(0))
  const k = Math.min(primary.k, depth)

  /** Mean share of unjudged units in the first k; 0 without results. */
  const unjudgedShare = (trial: number): number => {
    const all = merged.labelOffsets[merged.queries]
    let sum = 0
    let counted = 0
    queries.forEach((_, query) => {
      if (!counts(query)) return
      counted++
      const shown = Math.min(k, merged.retrieved[trial * merged.queries + query])
      if (shown === 0) return
      const { grades } = corpora[trials[trial].recipe].labels[query]
      const begin = trial * all + merged.labelOffsets[query]
      // A chunk may overlap several labelled spans.
      const judged = new Set(
        [...merged.ranks.subarray(begin, begin + grades.length)].filter(
          (rank, label) => grades[label] >= 0 && rank > 0 && rank <= k,
        ),
      ).size
      sum += 1 - judged / shown
    })
    return counted === 0 ? 0 : sum / counted
  }

  /** Means without the unjudged, and with those of the first k as relevant. */
  const boundsOf = (trial: number) => {
    const all = merged.labelOffsets[merged.queries]
    const [less, more] = [new Float64Array(queries.length), new Float64Array(queries.length)]
    queries.forEach((_, query) => {
      ;[less[query], more[query]] = [Number.NaN, Number.NaN]
      if (!counts(query)) return
      const { grades, groups } = corpora[trials[trial].recipe].labels[query]
      const begin = trial * all + merged.labelOffsets[query]
      const ranks = merged.ranks.subarray(begin, begin + grades.length)
      const judged = { grades, groups, ranks, retrieved: merged.retrieved[trial * merged.queries + query] }
      ;[less[query]] = evaluate([primary], condensed(judged))
      ;[more[query]] = evaluate([primary], unjudgedRelevant(judged, k, primary.rel))
    })
    return { condensed: meanOf(primary, less), relevant: meanOf(primary, more) }
  }
  const isBounded = pooled && primary.needs === 'labels' && primary.budget === null

  const categories = queries.map(({ category }, query) => (counts(query) ? category : null))
  return {
    unsolved:
      better === 'higher'
        ? unsolvedQueries(trials.map((_, trial) => valuesOf(trial))).map((query) => queries[query].id)
        : [],
    small: smallCategories(categories, compare.level),
    trials: indexes.map((trial): TrialHealth => {
      const [worst, best] = [of(merged.worst, trial), of(merged.best, trial)]
      return {
        id: trials[trial].id,
        name: trials[trial].name,
        ceiling: bounded && better === 'higher' ? ceilingShare(valuesOf(trial)) : null,
        ties:
          primary.needs === 'labels'
            ? {
                share: decidedByTies(worst, best),
                worst: meanOf(primary, worst),
                best: meanOf(primary, best),
              }
            : null,
        unjudged: pooled || trials[trial].strategy === 'run' ? { k, share: unjudgedShare(trial) } : null,
        ...(isBounded && { bounds: boundsOf(trial) }),
      }
    }),
  }
}
