import { ANY, type Range, rangeOfDifference } from '../metrics/range.ts'
import { type Clusters, clusterTotals, errorOf, macroMean, pairedDifferences } from './moments.ts'

/** Minimum queries of a dataset for a verdict: fewer are not representative, however small p is. */
export const FEWEST_QUERIES = 15

/** Limits of the cluster bootstrap and of Student's t over few clusters. */
const BOOTSTRAP = { effective: 20, share: 0.1 }
const STUDENT = { clusters: 5, share: 0.25 }

/**
 * The units that were sampled, over the queries that count in every row: queries, or clusters of queries. Units are numbered
 * stratum after stratum.
 */
export interface Sample {
  /** Places of the counted queries by stratum. */
  readonly queries: readonly (readonly number[])[]
  /** Cluster of each counted query by stratum; absent if every query is a unit. */
  readonly clusters?: readonly (readonly number[])[]
  /** Units by stratum. */
  readonly strata: readonly (readonly number[])[]
  /** Number of queries of each unit. */
  readonly sizes: readonly number[]
  readonly method: Method
}

/** Test that the units allow: the bootstrap t, Student's t over few clusters, or none for a reason. */
type Method = { readonly kind: 'bootstrap' | 'student' } | { readonly kind: 'none'; readonly reason: string }

/** Rows by [row][query], NaN if a query does not count; `sizes` are the numbers of queries of the strata. */
export function sampleOf(
  matrix: readonly Float64Array[],
  sizes: readonly number[],
  clusters: Clusters | undefined,
): Sample {
  let end = 0
  const queries = sizes.map((size) => {
    end += size
    return Array.from({ length: size }, (_, place) => end - size + place).filter((query) =>
      matrix.every((row) => !Number.isNaN(row[query])),
    )
  })
  const byStratum = clusters && queries.map((places) => places.map((query) => clusters[query]))
  // Clusters of one query each are no clusters.
  const clustered = byStratum?.some((numbers) => new Set(numbers).size < numbers.length)
  const unitSizes = queries.map((places, stratum) =>
    clustered && byStratum ? clusterTotals(places, byStratum[stratum]).sizes : places.map(() => 1),
  )
  let next = 0
  return {
    queries,
    ...(clustered && { clusters: byStratum }),
    strata: unitSizes.map((members) => members.map(() => next++)),
    sizes: unitSizes.flat(),
    method: clustered ? clusterMethod(unitSizes) : queryMethod(unitSizes),
  }
}

function queryMethod(strata: readonly (readonly number[])[]): Method {
  const fewest = Math.min(...strata.map(({ length }) => length))
  if (fewest >= FEWEST_QUERIES) return { kind: 'bootstrap' }
  const scope = strata.length > 1 ? 'a dataset has ' : ''
  return {
    kind: 'none',
    reason: `${scope}${fewest} ${fewest === 1 ? 'query' : 'queries'}, and a verdict needs ${FEWEST_QUERIES}`,
  }
}

/** Effective number of clusters n^2 / sum m^2; the stratum with the worst sizes decides. */
function clusterMethod(strata: readonly (readonly number[])[]): Method {
  const shapes = strata.map((sizes) => {
    const n = sizes.reduce((sum, size) => sum + size, 0)
    const largest = Math.max(...sizes)
    const squares = sizes.reduce((sum, size) => sum + size ** 2, 0)
    return { n, largest, count: sizes.length, effective: n ** 2 / squares, share: largest / n }
  })
  if (shapes.every(({ effective, share }) => effective >= BOOTSTRAP.effective && share <= BOOTSTRAP.share))
    return { kind: 'bootstrap' }
  const few = shapes.find(({ count }) => count < STUDENT.clusters)
  if (few)
    return {
      kind: 'none',
      reason: `${few.count === 1 ? 'one cluster' : `${few.count} clusters`} of queries, and a verdict needs ${STUDENT.clusters}`,
    }
  const dominated = shapes.find(({ share }) => share > STUDENT.share)
  return dominated
    ? { kind: 'none', reason: `one cluster holds ${dominated.largest} of ${dominated.n} queries` }
    : { kind: 'student' }
}

function unitTotals({ queries, clusters }: Sample, row: Float64Array): Float64Array {
  return Float64Array.from(
    queries.flatMap((places, stratum) => {
      const values = places.map((query) => row[query])
      return clusters ? clusterTotals(values, clusters[stratum]).totals : values
    }),
  )
}

export function valuesByStratum({ queries }: Sample, row: Float64Array): Float64Array[] {
  return queries.map((places) => Float64Array.from(places, (query) => row[query]))
}

/** Rows of values: by [row][query], NaN if a query does not count for the measure. */
export interface RowsInput {
  /** Unique name of each row; results do not depend on the order of rows. */
  readonly names: readonly string[]
  readonly matrix: readonly Float64Array[]
  /** Number of queries of each stratum (dataset), in order; one stratum if absent. */
  readonly strata?: readonly number[]
  /** The cluster of each query, inside its stratum; absent if queries are independent. */
  readonly clusters?: Clusters | undefined
  /** Trials behind rows that are tuned in folds. */
  readonly tuned?: TunedFrom | undefined
  /** Significance level, between 0 and 1; intervals cover 1 - level. */
  readonly level: number
  /** Resamples. */
  readonly draws: number
  readonly seed: number
  /** Direction of good values; a measure such as contamination is better low. */
  readonly better: 'higher' | 'lower'
  /** Range of the values; any value if absent. */
  readonly range?: Range
}

export interface TunedFrom {
  /** Values of the trials behind each row, in the order in which equal ones are chosen. */
  readonly trials: ReadonlyMap<string, readonly Float64Array[]>
  /** Fold of each query in its stratum. */
  readonly folds: Uint8Array
}

/** Fewest differences other than 0 for exact sign flips, and for the bootstrap. */
const FEWEST_FLIPPED = 6
const FEWEST_RESAMPLED = 15

/** Differences that rounding alone can make of equal sums. */
export const ROUNDING = 1e-12

/** Rows over the queries that count in all of them; the higher the better. */
export interface Field {
  readonly sample: Sample
  readonly indexOf: (name: string) => number
  readonly matrix: readonly Float64Array[]
  /** Sums by unit of each row, and of the trials behind it: the row itself unless it is tuned in folds. */
  readonly totals: readonly Float64Array[]
  readonly trials: readonly (readonly Float64Array[])[]
  /** Fold of each unit; absent if no row is tuned. */
  readonly folds: readonly number[] | undefined
  /** Range of differences. */
  readonly range: Range
}

export function fieldOf({ names, matrix, strata, clusters, tuned, better, range }: RowsInput): Field {
  const sample = sampleOf(matrix, strata ?? [matrix[0]?.length ?? 0], clusters)
  const signed = (row: Float64Array) => (better === 'higher' ? row : row.map((value) => -value))
  const rows = matrix.map(signed)
  const totals = rows.map((row) => unitTotals(sample, row))
  const trials = names.map((name, row) => {
    const behind = tuned?.trials.get(name) ?? []
    return behind.length > 1 ? behind.map((values) => unitTotals(sample, signed(values))) : [totals[row]]
  })
  const places = new Map(names.map((name, row) => [name, row]))
  const folds =
    tuned && trials.some(({ length }) => length > 1)
      ? [...unitTotals(sample, Float64Array.from(tuned.folds))].map((sum, unit) => sum / sample.sizes[unit])
      : undefined
  return {
    sample,
    matrix: rows,
    totals,
    trials,
    folds,
    range: rangeOfDifference(range ?? ANY),
    indexOf(name) {
      const row = places.get(name)
      if (row === undefined) throw new Error(`no row named ${name}`)
      return row
    },
  }
}

/** Test of a pair of rows: its kind, or the reason for none. */
export type PairTest =
  | { readonly kind: 'bootstrap' | 'student' }
  | { readonly kind: 'exact'; readonly p: number }
  | {
      readonly kind: 'none'
      readonly reason: string
      /** True if the row counts in the family: it would be tested if its differences were larger, or more. */
      readonly counts?: true
    }

/** Chooses the test of row `a` against row `b` by the sample and the number of units on which they differ. */
export function pairTest({ sample, totals, trials, range }: Field, a: number, b: number): PairTest {
  const { method, sizes, strata } = sample
  if (method.kind === 'none') return method
  const differences = totals[a].map((total, unit) => total - totals[b][unit])
  const nonzero = differences.filter((difference) => Math.abs(difference) > ROUNDING)
  const units = sample.clusters ? 'clusters' : 'queries'
  const none = (reason: string) => ({ kind: 'none', reason }) as const
  const few = none(`differs on ${nonzero.length} of ${sizes.length} ${units}`)
  if (nonzero.length < Math.min(FEWEST_FLIPPED, sizes.length)) return few
  const { difference, error } = studentized(sample, totals[a], totals[b])
  if (!(error > ROUNDING)) return none('all differences are equal')
  const tuned = trials[a].length > 1 || trials[b].length > 1
  if (method.kind === 'student')
    return tuned ? none(`${sizes.length} clusters are too few for rows tuned in folds`) : { kind: 'student' }
  if (nonzero.length >= FEWEST_RESAMPLED) {
    const means = Float64Array.from(differences, (total, unit) => total / sizes[unit])
    const usual = means.slice().sort()[means.length >> 1]
    const others = means.filter((mean) => Math.abs(mean - usual) > ROUNDING).length
    if (others >= FEWEST_FLIPPED) return { kind: 'bootstrap' }
    const p = boundedP(difference, sample, range)
    return tuned || !Number.isFinite(p)
      ? {
          ...none(`differs by the same on ${sizes.length - others} of ${sizes.length} ${units}`),
          counts: true,
        }
      : { kind: 'exact', p }
  }
  if (tuned) return few
  const weighted = strata.flatMap((members) => {
    const n = members.reduce((sum, unit) => sum + sizes[unit], 0)
    return members
      .map((unit) => differences[unit] / n)
      .filter((_, at) => Math.abs(differences[members[at]]) > ROUNDING)
  })
  return { kind: 'exact', p: exactFlips(weighted) }
}

/**
 * Two-sided p of a macro mean of bounded differences (Hoeffding, JASA 58, 1963), for differences that hardly vary: many
 * resamples would have no variance. With w a unit's share of the macro mean,
 *
 *     p = 2 exp(-2 mean^2 / sum (w (high - low))^2)
 */
function boundedP(mean: number, { strata, sizes }: Sample, { low, high }: Range): number {
  const squares = strata.map((members) => {
    const n = members.reduce((sum, unit) => sum + sizes[unit], 0)
    return members.reduce((sum, unit) => sum + (sizes[unit] / n / strata.length) ** 2, 0)
  })
  const spread = squares.reduce((sum, square) => sum + square, 0) * (high - low) ** 2
  return spread === Number.POSITIVE_INFINITY
    ? Number.NaN
    : Math.min(1, 2 * Math.exp((-2 * mean ** 2) / spread))
}

export function jackknifed({ sample, matrix }: Field, a: number, b: number) {
  const [row, other] = [a, b].map((place) => valuesByStratum(sample, matrix[place]))
  const differences = row.map((values, stratum) => pairedDifferences(values, other[stratum]))
  return { difference: macroMean(differences), ...errorOf(differences, sample.clusters) }
}

/** Sums of the same numbers in another order differ in their last bits; such sums count as equal. */
const SUM_ROUNDING = 1e-9

/**
 * Two-sided paired randomization test of few differences (Fisher): the share of all 2^k sign flips whose sum is at least as far
 * from 0 as the observed sum. For up to 20 differences, none of them 0.
 */
export function exactFlips(differences: readonly number[]): number {
  const observed = Math.abs(differences.reduce((sum, difference) => sum + difference, 0))
  const scale = differences.reduce((sum, difference) => sum + Math.abs(difference), 0)
  let sums = [0]
  for (const difference of differences) sums = sums.flatMap((sum) => [sum + difference, sum - difference])
  return sums.filter((sum) => Math.abs(sum) >= observed - SUM_ROUNDING * scale).length / sums.length
}

/** A difference of (macro) means and its standard error by the ratio estimator. */
export function studentized(
  { strata, sizes }: Sample,
  a: Float64Array,
  b: Float64Array,
): { difference: number; error: number } {
  let [difference, variance] = [0, 0]
  for (const units of strata) {
    const n = units.reduce((sum, unit) => sum + sizes[unit], 0)
    const mean = units.reduce((sum, unit) => sum + a[unit] - b[unit], 0) / n
    const squares = units.reduce((sum, unit) => sum + (a[unit] - b[unit] - sizes[unit] * mean) ** 2, 0)
    difference += mean / strata.length
    variance += ((units.length / (units.length - 1)) * squares) / n ** 2 / strata.length ** 2
  }
  return { difference, error: Math.sqrt(variance) }
}
