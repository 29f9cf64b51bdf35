import { evaluate, meanOf } from '../../metrics/evaluate.ts'
import { condensed, unjudgedRelevant } from '../../metrics/unjudged.ts'
import type { HealthSummary, TrialHealth } from '../../results/summary.ts'
import { compareIds } from '../../text/ids.ts'
import type { Session } from '../shard/session.ts'
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

/** Checks of a measure's values by query; NaN if a query does not count. */

/** Share of queries at the ceiling: what cannot get better cannot differ. */
export function ceilingShare(values: ArrayLike<number>, ceiling = 1): number {
  return shareOf(values, (value) => value >= ceiling)
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
