import { clamped, type Range } from '../metrics/range.ts'
import { bootstrapExtremes, type Contest, type Extremes, type Group } from './bootstrap.ts'
import { studentQuantile, studentTail } from './distributions.ts'
import { countSigns, effectSize, errorOf, momentsOf, pairedDifferences } from './moments.ts'
import {
  type Field,
  fieldOf,
  jackknifed,
  type PairTest,
  pairTest,
  ROUNDING,
  type RowsInput,
  studentized,
  valuesByStratum,
} from './sample.ts'

export type Verdict = 'better' | 'worse' | 'equivalent' | 'cannot tell'

/** Two rows compared by their macro means over the queries that count for all. */
export interface Comparison {
  readonly name: string
  readonly baseline: string
  readonly n: number
  /** Clusters of these queries, if clusters were sampled. */
  readonly clusters?: number
  readonly strata: readonly { readonly n: number; readonly difference: number }[]
  readonly difference: number
  /** Limits of the simultaneous interval; null without one. */
  readonly low: number | null
  readonly high: number | null
  /** Two-sided p, with the choice among candidates corrected; `adjusted` also for the family. Null without a test. */
  readonly p: number | null
  readonly adjusted: number | null
  /** Bootstrap t, an exact test of few differences, or Student's t over few clusters; absent if the rows were not tested. */
  readonly test?: 'bootstrap' | 'exact' | 'student'
  /** Reason for having no test. */
  readonly untested?: string
  /** Queries on which the name is better, equal, worse. */
  readonly wins: number
  readonly ties: number
  readonly losses: number
  readonly effect: number
  /** The smallest true difference that is found 80 % of the time in this family; null without an interval. */
  readonly detectable: number | null
  readonly verdict: Verdict
}

/** Corrections of p and intervals over a family: by the extremes of its bootstrap (max-t), or none. */
export const CORRECTIONS = ['max-t', 'none'] as const
export type Correction = (typeof CORRECTIONS)[number]

export interface CompareInput extends RowsInput {
  readonly family: readonly Pair[]
  readonly correction: Correction
  /** Margin of equivalence: a difference whose whole interval is within plus or minus this is equivalent. */
  readonly margin?: number | undefined
}

/** Two rows by name, compared as `name` minus `baseline`. */
export interface Pair {
  readonly name: string
  readonly baseline: string
  /** Rows that each was chosen from by their values, itself among them; absent if nothing was chosen. */
  readonly names?: readonly string[]
  readonly baselines?: readonly string[]
}

type Tested = Pick<Comparison, 'low' | 'high' | 'p' | 'adjusted'> & { readonly critical: number | null }

const UNTESTED: Tested = { low: null, high: null, p: null, adjusted: null, critical: null }

/** Compares the pairs of a family over the queries that count (are not NaN) in every row, in the family's order. */
export function compareTrials(input: CompareInput): Comparison[] {
  const { family, better } = input
  const field = fieldOf(input)
  const { sample, matrix, range } = field
  const sign = better === 'higher' ? 1 : -1
  const kinds = family.map(({ name, baseline }) =>
    pairTest(field, field.indexOf(name), field.indexOf(baseline)),
  )
  const tested = testFamily(input, field, kinds)
  return family.map(({ name, baseline }, index) => {
    const [row, other] = [name, baseline].map((id) => valuesByStratum(sample, matrix[field.indexOf(id)]))
    const differences = row.map((values, stratum) => pairedDifferences(values, other[stratum]))
    const means = differences.map((values) => momentsOf(values).mean)
    const difference = means.reduce((sum, mean) => sum + mean, 0) / means.length
    const { wins, ties, losses } = countSigns(differences.flatMap((values) => [...values]))
    const { p, adjusted, critical, ...limits } = tested[index]
    const { low, high } =
      limits.low === null || limits.high === null
        ? NO_INTERVAL
        : clamped({ low: limits.low, high: limits.high }, range)
    const kind = kinds[index]
    const turned = (value: number | null) => (value === null ? null : sign * value)
    return {
      name,
      baseline,
      n: wins + ties + losses,
      ...(sample.clusters && { clusters: sample.sizes.length }),
      strata: differences.map((values, stratum) => ({ n: values.length, difference: sign * means[stratum] })),
      difference: sign * difference,
      low: turned(sign > 0 ? low : high),
      high: turned(sign > 0 ? high : low),
      p,
      adjusted,
      ...(kind.kind === 'none' ? { untested: kind.reason } : { test: kind.kind }),
      wins,
      ties,
      losses,
      effect: sign * effectSize(differences),
      detectable:
        critical === null || !Number.isFinite(critical)
          ? null
          : detectableDifference({ ...errorOf(differences, sample.clusters), critical, differences, range }),
      verdict: verdictOf({ low, high, adjusted }, difference, input),
    }
  })
}

const NO_INTERVAL = { low: null, high: null }

function verdictOf(
  { low, high, adjusted }: Pick<Tested, 'low' | 'high' | 'adjusted'>,
  difference: number,
  { level, margin }: CompareInput,
): Comparison['verdict'] {
  if (low === null || high === null) {
    if (adjusted === null || adjusted > level) return 'cannot tell'
    return difference > 0 ? 'better' : 'worse'
  }
  if (low > 0) return 'better'
  if (high < 0) return 'worse'
  return margin !== undefined && Math.max(-low, high) < margin ? 'equivalent' : 'cannot tell'
}

/**
 * Tests of a family at once. The bootstrap's part of the family gets its share of the level by the number of its comparisons;
 * exact tests and Student's t are corrected by Bonferroni, also for candidates.
 */
function testFamily(
  { family, level, correction, draws, seed }: CompareInput,
  field: Field,
  kinds: readonly PairTest[],
): Tested[] {
  const { sample, totals, trials, folds, indexOf } = field
  const pairs = family.map(({ name, baseline, names, baselines }) => ({
    a: indexOf(name),
    b: indexOf(baseline),
    as: (names ?? [name]).map(indexOf),
    bs: (baselines ?? [baseline]).map(indexOf),
  }))
  const candidates = pairs.map(({ as, bs }) => Math.max(as.length, bs.length))
  const studied = candidates.reduce((sum, count) => sum + count, 0)
  const count = kinds.filter((test) => ('counts' in test ? test.counts : test.kind !== 'none')).length
  const resampled = kinds.flatMap(({ kind }, index) => (kind === 'bootstrap' ? [index] : []))
  const share = correction === 'none' ? 1 : resampled.length / count
  const { contests, groups } = contestsOf(
    resampled.map((index) => pairs[index]),
    (a, b) => pairTest(field, a, b).kind === 'bootstrap',
  )
  const whole = { above: groups.flatMap(({ above }) => above), below: groups.flatMap(({ below }) => below) }
  const extremes = bootstrapExtremes({
    sample,
    rows: trials,
    folds,
    contests,
    groups: [...groups, whole],
    draws,
    seed,
  })
  const joint = correction === 'none' ? undefined : extremes[groups.length]
  const jointCritical = joint && criticalValues(joint, level * share)
  return kinds.map((test, index) => {
    const { a, b } = pairs[index]
    if (test.kind === 'none') return UNTESTED
    if (test.kind === 'exact') {
      const p = Math.min(1, test.p * candidates[index])
      return { ...UNTESTED, p, adjusted: correction === 'none' ? p : Math.min(1, p * count) }
    }
    if (test.kind === 'student') {
      const { difference, error, df } = jackknifed(field, a, b)
      const comparisons = correction === 'none' ? candidates[index] : studied
      const critical = studentQuantile(level / 2 / comparisons, df)
      const tail = 2 * studentTail(Math.abs(difference) / error, df)
      return {
        low: difference - critical * error,
        high: difference + critical * error,
        p: Math.min(1, tail * candidates[index]),
        adjusted: Math.min(1, tail * comparisons),
        critical,
      }
    }
    const { difference, error } = studentized(sample, totals[a], totals[b])
    const pairExtremes = extremes[resampled.indexOf(index)]
    const t = difference / error
    const [lowest, highest] = jointCritical ?? criticalValues(pairExtremes, level)
    return {
      low: (t - highest) * error,
      high: (t - lowest) * error,
      p: pOf(t, pairExtremes),
      adjusted: Math.min(1, pOf(t, joint ?? pairExtremes) / share),
      critical: (highest - lowest) / 2,
    }
  })
}

/** Contests of comparisons and of the candidates on either side; a candidate that is nearly a copy is left out. */
function contestsOf(
  pairs: readonly (Contest & { readonly as: readonly number[]; readonly bs: readonly number[] })[],
  isTested: (a: number, b: number) => boolean,
): { contests: Contest[]; groups: Group[] } {
  const places = new Map<string, number>()
  const contests: Contest[] = []
  const placeOf = (a: number, b: number): number[] => {
    const key = `${a} ${b}`
    const place = places.get(key)
    if (place !== undefined) return [place]
    if (a === b || !isTested(a, b)) return []
    places.set(key, contests.length)
    return [contests.push({ a, b }) - 1]
  }
  const groups = pairs.map(({ a, b, as, bs }) => ({
    above: as.flatMap((candidate) => placeOf(candidate, b)),
    below: bs.flatMap((candidate) => placeOf(a, candidate)),
  }))
  return { contests, groups }
}

/** Critical values at a level, by order statistics that agree with `pOf`; infinite for few draws. */
function criticalValues({ highest, lowest }: Extremes, level: number): [number, number] {
  const draws = highest.length
  const allowed = Math.floor((level * (draws + 1)) / 2 + 1e-9) - 1
  if (allowed < 0) return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  return [lowest.slice().sort()[allowed], highest.slice().sort()[draws - 1 - allowed]]
}

/** Two-sided p: twice the share of resamples beyond t on its nearer side, the observed one among them. */
function pOf(t: number, { highest, lowest }: Extremes): number {
  let [above, below] = [1, 1]
  for (let draw = 0; draw < highest.length; draw++) {
    if (highest[draw] >= t) above++
    if (lowest[draw] <= t) below++
  }
  return Math.min(1, (2 * Math.min(above, below)) / (highest.length + 1))
}

interface DetectableInput {
  /** Standard error of the difference, its degrees of freedom, and the critical value of the test. */
  readonly error: number
  readonly df: number
  readonly critical: number
  /** Differences by stratum and unit. */
  readonly differences: readonly ArrayLike<number>[]
  /** Possible differences. */
  readonly range: Range
}

/**
 * Minimum detectable difference: the true difference d that a test with the critical value c finds with the chance
 * `power`; null if there is none. A difference comes from a share d / M of the queries, with the variance d (M - d); M =
 * sum D^2 / sum |D|, 0 for values without bounds.
 *
 *     d = (c + t(power)) sqrt(error^2 + d (M - d) / n)
 */
export function detectableDifference(
  { error, df, critical, differences, range }: DetectableInput,
  power = 0.8,
): number | null {
  const bounded = Number.isFinite(range.high - range.low)
  const sizes = differences.map((values) => (bounded ? usualSize(values) : 0))
  const factor = critical + studentQuantile(1 - power, df)
  const reach = (gained: (size: number) => number): number => {
    const gains = sizes.reduce((sum, size, stratum) => sum + gained(size) / differences[stratum].length, 0)
    return factor * Math.sqrt(error ** 2 + gains / sizes.length ** 2)
  }
  let [low, high] = [reach(() => 0), reach((size) => size ** 2 / 4)]
  for (let halving = 0; halving < 50; halving++) {
    const middle = (low + high) / 2
    if (reach((size) => middle * Math.max(0, size - middle)) > middle) low = middle
    else high = middle
  }
  return high <= range.high ? high : null
}

function usualSize(differences: ArrayLike<number>): number {
  let [squares, sizes] = [0, 0]
  for (let query = 0; query < differences.length; query++) {
    squares += differences[query] ** 2
    sizes += Math.abs(differences[query])
  }
  return sizes > 0 ? squares / sizes : 0
}

/** A ranked row, with the rows that it was chosen from by their values. */
export interface RankedRow {
  readonly name: string
  readonly names?: readonly string[]
}

/**
 * Names of the rows that cannot be told apart from the best (comparisons with the best: Hsu, Annals of Statistics 12,
 * 1984). Exact tests and Student's t are corrected by Bonferroni. Null if the sample allows no test. Row i is told apart
 * if, for some row j,
 *
 *     (mean_j - mean_i) / error > the quantile at 1 - level of the maximum over j of t*
 */
export function closeToBest(input: RowsInput, ranked: readonly RankedRow[]): string[] | null {
  const field = fieldOf(input)
  const { sample, totals, trials, folds, indexOf } = field
  if (sample.method.kind === 'none') return null
  if (sample.method.kind === 'student' && folds) return null
  const rows = ranked.map(({ name }) => indexOf(name))
  const candidates = [...new Set(ranked.flatMap(({ name, names }) => (names ?? [name]).map(indexOf)))]
  const { contests, groups } = contestsOf(
    rows.map((row) => ({ a: row, b: row, as: candidates, bs: [] })),
    (a, b) => pairTest(field, a, b).kind === 'bootstrap',
  )
  const extremes = bootstrapExtremes({ ...input, sample, rows: trials, folds, contests, groups })
  const isApart = (row: number, at: number): boolean => {
    const others = rows.filter((other) => other !== row)
    const share = input.level / Math.max(1, candidates.length - 1)
    const highest = extremes[at].highest.slice().sort()
    const resampled = groups[at].above.length
    // The bootstrap's share of the level is that of its contests.
    const allowed = Math.floor(share * resampled * (input.draws + 1) + 1e-9) - 1
    return others.some((other) => {
      const test = pairTest(field, other, row)
      const { difference, error } = studentized(sample, totals[other], totals[row])
      if (difference <= ROUNDING) return false
      // Differences that are all equal tell apart without a test.
      if (test.kind === 'none') return error <= ROUNDING
      if (test.kind === 'exact') return test.p / 2 <= share
      if (test.kind === 'student') {
        const jackknife = jackknifed(field, other, row)
        return studentTail(jackknife.difference / jackknife.error, jackknife.df) <= share
      }
      return allowed >= 0 && difference / error > highest[input.draws - 1 - allowed]
    })
  }
  return ranked.filter((_, at) => !isApart(rows[at], at)).map(({ name }) => name)
}
