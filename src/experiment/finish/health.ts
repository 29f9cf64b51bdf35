import { evaluate, meanOf } from '../../metrics/evaluate.ts'
import { condensed, unjudgedRelevant } from '../../metrics/variants.ts'
import type { HealthSummary, TrialHealth } from '../../results/summary.ts'
import { compareIds } from '../../text/ids.ts'
import { ofTrial } from './merge.ts'
import type { Scored } from './rows.ts'

/** Measures how informative the primary measure is, for the trials at these indexes. */
export function describeHealth(
  { session, merged, primary, valuesOf }: Scored,
  indexes: readonly number[],
): HealthSummary {
  const { plan, trials, queries, corpora } = session
  const { compare, depth } = plan.experiment
  const { bounded, better } = primary.metric
  const counts = (query: number) => !Number.isNaN(valuesOf(0)[query])
  const pooled = corpora[0].labels.some(({ grades }, query) => counts(query) && grades.includes(0))
  const k = Math.min(primary.k, depth)

  const judgedIn = (trial: number, query: number) => {
    const { grades, groups } = corpora[trials[trial].recipe].labels[query]
    const begin = trial * merged.labelOffsets[merged.queries] + merged.labelOffsets[query]
    const ranks = merged.ranks.subarray(begin, begin + grades.length)
    return { grades, groups, ranks, retrieved: merged.retrieved[trial * merged.queries + query] }
  }
  const counted = [...queries.keys()].filter(counts)

  /** Mean share of unjudged units in the first k; 0 without results. */
  const unjudgedShare = (trial: number): number => {
    const shares = counted.map((query) => {
      const { grades, ranks, retrieved } = judgedIn(trial, query)
      const shown = Math.min(k, retrieved)
      // A chunk may overlap several labelled spans.
      const judged = new Set(ranks.filter((rank, label) => grades[label] >= 0 && rank > 0 && rank <= k))
      return shown === 0 ? 0 : 1 - judged.size / shown
    })
    return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, counted.length)
  }

  /** Means without the unjudged, and with those of the first k as relevant. */
  const boundsOf = (trial: number) => {
    const [less, more] = [0, 1].map(() => new Float64Array(queries.length).fill(Number.NaN))
    for (const query of counted) {
      const judged = judgedIn(trial, query)
      ;[less[query]] = evaluate([primary], condensed(judged))
      ;[more[query]] = evaluate([primary], unjudgedRelevant(judged, k, primary.rel))
    }
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
      const [worst, best] = [merged.worst, merged.best].map((column) =>
        ofTrial(column, trial, merged.queries),
      )
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

/** Checks of a measure's values by query; NaN if a query does not count. */

export function ceilingShare(values: ArrayLike<number>): number {
  return shareOf(values, (value) => value >= 1)
}

/** Queries on which no row of [trial][query] is above 0. */
export function unsolvedQueries(matrix: readonly Float64Array[]): number[] {
  const indexes: number[] = []
  for (let query = 0; query < (matrix[0]?.length ?? 0); query++)
    if (matrix.every((row) => !(row[query] > 0)) && matrix.some((row) => row[query] === 0))
      indexes.push(query)
  return indexes
}

/** Share of queries whose value depends on the order of ties. */
export function decidedByTies(worst: ArrayLike<number>, best: ArrayLike<number>): number {
  return shareOf(best, (value, query) => value !== worst[query])
}

/**
 * Categories too small to find anything: even if one row won on every query, sign flips give 2^(1 - n), above the level.
 */
export function smallCategories(
  categories: readonly (string | null)[],
  level: number,
): { name: string; queries: number }[] {
  const sizes = new Map<string, number>()
  for (const name of categories) if (name !== null) sizes.set(name, (sizes.get(name) ?? 0) + 1)
  return [...sizes]
    .map(([name, queries]) => ({ name, queries }))
    .filter(({ queries }) => 2 ** (1 - queries) > level)
    .sort((a, b) => compareIds(a.name, b.name))
}

function shareOf(values: ArrayLike<number>, test: (value: number, query: number) => boolean): number {
  let counted = 0
  let share = 0
  for (let query = 0; query < values.length; query++) {
    if (Number.isNaN(values[query])) continue
    counted++
    if (test(values[query], query)) share++
  }
  return counted === 0 ? 0 : share / counted
}
