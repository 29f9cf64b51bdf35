import type { Compare } from '../../config/experiment.ts'
import { addTo } from '../../maps.ts'
import { SHARE } from '../../metrics/range.ts'
import type { ComparisonSummary } from '../../results/summary.ts'
import { closeToBest, compareTrials, type Pair, type RankedRow } from '../../statistics/compare.ts'
import type { Clusters } from '../../statistics/moments.ts'
import type { TunedFrom } from '../../statistics/sample.ts'

interface Contender {
  readonly id: string
  readonly strategy: string
  readonly quality: number
}

export interface ComparedRow extends Contender {
  readonly name: string
  /** Primary measure by query, stratum after stratum; NaN if a query does not count. */
  readonly values: Float64Array
}

const MAX_PAIRS = 20
const MAX_RANKED = 60
/** Resamples of the comparisons with the best; enough for one quantile. */
const RANKED_DRAWS = 1000

/**
 * Tests the declared family of comparisons. Null if there is nothing to compare. `strata`: sizes of several datasets.
 * `tuned`: trials behind rows tuned in folds. `untested`: ids of routers fitted in folds. Each of their queries helped
 * to fit other folds, so a test that treats the row as fixed rejects too often (`npm run simulate -- --only router`).
 */
export function compareRows(
  all: readonly ComparedRow[],
  baseline: string,
  compare: Compare,
  better: 'higher' | 'lower',
  {
    strata,
    tuned,
    clusters,
    untested = new Set(),
  }: {
    readonly strata?: readonly number[]
    readonly tuned?: TunedFrom | undefined
    readonly clusters?: Clusters | undefined
    readonly untested?: ReadonlySet<string>
  } = {},
): ComparisonSummary | null {
  const rows = all.filter(({ id }) => !untested.has(id))
  const without = all.filter(({ id }) => untested.has(id)).map(({ name }) => name)
  const { family } = familyOf(rows, baseline, compare, better)
  if (family.length === 0) return null
  const { by, level, correction, draws, seed, margin, cluster } = compare
  const named = new Map(rows.map(({ id, name }) => [id, name]))
  const input = {
    names: rows.map(({ id }) => id),
    matrix: rows.map(({ values }) => values),
    ...(strata && { strata }),
    ...(tuned && { tuned }),
    ...(clusters && { clusters }),
    level,
    draws,
    seed,
    better,
    // Configs compare only by measures in [0, 1].
    range: SHARE,
  }
  const comparisons = compareTrials({ ...input, family, correction, ...(margin !== undefined && { margin }) })
  return {
    measure: by,
    baseline,
    level,
    correction,
    family: compare.family,
    margin: margin ?? null,
    draws,
    ...(without.length > 0 && { untested: without }),
    ...(cluster !== undefined && { cluster }),
    rows: comparisons.map(({ name: id, strata: parts, ...row }) => ({
      id,
      name: named.get(id) ?? id,
      ...row,
      datasets: parts.map((part) => ({ ...part, verdict: parts.length === 1 ? row.verdict : null })),
    })),
    close: closeToBest({ ...input, draws: Math.min(draws, RANKED_DRAWS) }, rankedRows(rows, better)),
  }
}

/** Rows best first; of many, the best of each strategy with the rows that it was chosen from. */
function rankedRows(rows: readonly Contender[], better: 'higher' | 'lower'): RankedRow[] {
  const sign = better === 'higher' ? 1 : -1
  const ranked = [...rows].sort((a, b) => sign * (b.quality - a.quality))
  if (rows.length <= MAX_RANKED) return ranked.map(({ id }) => ({ name: id }))
  const strategies = new Map<string, string[]>()
  for (const { id, strategy } of ranked) addTo(strategies, strategy, id)
  return [...strategies.values()].slice(0, MAX_PAIRS).map((names) => ({ name: names[0], names }))
}

export function familyOf<R extends Contender>(
  rows: readonly R[],
  baseline: string,
  { family }: Compare,
  better: 'higher' | 'lower',
): { members: readonly R[]; family: readonly Pair[] } {
  const sign = better === 'higher' ? 1 : -1
  const ranked = [...rows].sort((a, b) => sign * (b.quality - a.quality))
  if (family === 'pairs') {
    const names = rows.map(({ id }) => id)
    const members = ranked.slice(0, MAX_PAIRS)
    const chosen = members.length < rows.length ? { names, baselines: names } : {}
    const pairs = members.flatMap((a, at) =>
      members.slice(at + 1).map((b) => ({ name: b.id, baseline: a.id, ...chosen })),
    )
    return { members, family: pairs }
  }
  // The baseline may have failed.
  if (!rows.some(({ id }) => id === baseline)) return { members: [], family: [] }
  const others = rows.filter(({ id }) => id !== baseline)
  if (family === 'all') return { members: rows, family: others.map(({ id }) => ({ name: id, baseline })) }
  const strategies = new Map(ranked.map(({ strategy }) => [strategy, [] as string[]]))
  for (const { id, strategy } of others) strategies.get(strategy)?.push(id)
  // Best trial of each strategy; a baseline that is best of its strategy represents it.
  const best = new Set(
    [...strategies.keys()].map((name) => ranked.find(({ strategy }) => strategy === name)?.id),
  )
  const chosen = others.filter(({ id }) => best.has(id))
  return {
    members: rows.filter(({ id }) => best.has(id) || id === baseline),
    family: chosen.map(({ id, strategy }) => ({
      name: id,
      baseline,
      names: strategies.get(strategy) ?? [id],
    })),
  }
}
