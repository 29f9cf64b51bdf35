import { ANY, type Range, rangeOfDifference, within } from '../metrics/range.ts'
import { bootstrapExtremes, type Contest, type Extremes, type Group, studentized } from './bootstrap.ts'
import type { Clusters } from './clusters.ts'
import type { Comparison } from './comparison.ts'
import { studentQuantile, studentTail } from './distributions.ts'
import { effectSize } from './effect.ts'
import { exactFlips } from './exact-flips.ts'
import { detectableDifference } from './power.ts'
import { type Sample, sampleOf, unitTotals, valuesByStratum } from './sample.ts'
import { errorOf, macroMean } from './strata.ts'
import { countSigns, momentsOf, pairedDifferences } from './summarize.ts'

/** Corrections of p and intervals over a family: by the extremes of its bootstrap (max-t), or none. */
export const CORRECTIONS = ['max-t', 'none'] as const
export type Correction = (typeof CORRECTIONS)[number]

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
  /** Values as given by [row][query], with the sign turned if low values are good. */
  readonly matrix: readonly Float64Array[]
  /** Sums by unit of each row, and of the trials behind it; these are the row itself unless it is tuned in folds. */
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

/** Interval and p of one comparison, higher values being better. */
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
        : within({ low: limits.low, high: limits.high }, range)
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
export function contestsOf(
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

/** The lowest and the highest critical value at a level, by order statistics that agree with `pOf`; infinite for few draws. */
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

/** Difference of two rows with the error and degrees of freedom of the cluster jackknife. */
export function jackknifed({ sample, matrix }: Field, a: number, b: number) {
  const [row, other] = [a, b].map((place) => valuesByStratum(sample, matrix[place]))
  const differences = row.map((values, stratum) => pairedDifferences(values, other[stratum]))
  return { difference: macroMean(differences), ...errorOf(differences, sample.clusters) }
}
