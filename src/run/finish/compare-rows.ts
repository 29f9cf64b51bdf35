import type { Compare } from '../../config/experiment.ts'
import type { ComparisonSummary } from '../../results/summary.ts'
import { compareTrials } from '../../statistics/compare.ts'

/** What a family is made of. */
export interface Contender {
  readonly id: string
  readonly strategy: string
  /** The primary measure's mean. */
  readonly quality: number
}

/** What may be compared: a trial or a strategy's tuned row. */
export interface Row extends Contender {
  readonly name: string
  /** The primary measure by query, stratum after stratum; NaN where it does not count. */
  readonly values: Float64Array
}

/** The most trials of which every two are compared. */
const MOST_PAIRS = 20

/**
 * The door to all testing: from every row's values by query to verdicts on the declared family, chosen here; null where
 * there is nothing to compare. `better` is the primary measure's; `strata` are the sizes of several datasets.
 */
export function compareRows(
  rows: readonly Row[],
  baseline: string,
  compare: Compare,
  better: 'higher' | 'lower',
  strata?: readonly number[],
): ComparisonSummary | null {
  const { members, family } = familyOf(rows, baseline, compare, better)
  if (family.length === 0) return null
  const { by, level, correction, draws, seed, margin } = compare
  const named = new Map(members.map(({ id, name }) => [id, name]))
  const comparisons = compareTrials({
    names: members.map(({ id }) => id),
    matrix: members.map(({ values }) => values),
    ...{ strata, family, level, correction, draws, seed, better, margin },
  })
  return {
    ...{ measure: by, baseline, level, correction, family: compare.family, margin: margin ?? null, draws },
    rows: comparisons.map(({ name: id, strata: parts, ...row }) => ({
      id,
      name: named.get(id) ?? id,
      ...row,
      datasets: parts.map((part) => ({ ...part, verdict: parts.length === 1 ? row.verdict : null })),
    })),
  }
}

/** The rows that are compared and the pairs of their ids; none where there is nothing to compare. */
export function familyOf<R extends Contender>(
  rows: readonly R[],
  baseline: string,
  compare: Compare,
  better: 'higher' | 'lower',
): { members: readonly R[]; family: readonly { name: string; baseline: string }[] } {
  // The baseline may be the one that failed.
  if (compare.family !== 'pairs' && !rows.some(({ id }) => id === baseline))
    return { members: [], family: [] }
  const members = membersOf(rows, baseline, compare, better)
  const family =
    compare.family === 'pairs'
      ? members.flatMap((a, at) => members.slice(at + 1).map((b) => ({ name: b.id, baseline: a.id })))
      : members.filter(({ id }) => id !== baseline).map(({ id }) => ({ name: id, baseline }))
  return { members, family }
}

function membersOf<R extends Contender>(
  rows: readonly R[],
  baseline: string,
  { family }: Compare,
  better: 'higher' | 'lower',
): R[] {
  const sign = better === 'higher' ? 1 : -1
  const ranked = [...rows].sort((a, b) => sign * (b.quality - a.quality))
  if (family === 'all') return [...rows]
  if (family === 'pairs') return ranked.slice(0, MOST_PAIRS)
  const best = new Set<R>()
  const seen = new Set<string>()
  for (const row of ranked) {
    if (!seen.has(row.strategy)) best.add(row)
    seen.add(row.strategy)
  }
  return rows.filter((row) => best.has(row) || row.id === baseline)
}
