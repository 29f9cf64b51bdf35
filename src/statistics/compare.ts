import { byCluster, type Clusters, clusterFirsts, clusterSums } from './clusters.ts'
import type { Comparison } from './comparison.ts'
import { adjust, type Correction } from './correction.ts'
import { differenceInterval, meetVerdict } from './difference-interval.ts'
import { effectSize } from './effect.ts'
import { drawFlips } from './flips.ts'
import { type MaxT, maxT } from './max-t.ts'
import type { TunedRows } from './mean-interval.ts'
import { detectableDifference } from './power.ts'
import { ANY, type Range, rangeOfDifference, within } from './range.ts'
import { reachOfChosen, selectionScale } from './selection.ts'
import { countSigns } from './sign-test.ts'
import { macroMean, type Strata, weightedByStratum } from './strata.ts'
import { momentsOf, pairedDifferences } from './summarize.ts'
import { centre, layOut, reachOfTuned } from './tuned-selection.ts'
import { verdictOf } from './verdict.ts'

/** Input of a comparison: values by [row][query], NaN if a query does not count for the measure. */
export interface CompareInput {
  /** Unique name of each row; results do not depend on the order of rows. */
  readonly names: readonly string[]
  readonly matrix: readonly Float64Array[]
  /** Number of queries of each stratum (dataset), in order; one stratum if not given. */
  readonly strata?: readonly number[]
  readonly family: readonly Pair[]
  /** The cluster of each query, inside its stratum; each query is one of its own if not given. Clusters are sampled, not queries. */
  readonly clusters?: Clusters | undefined
  /** Trials behind rows that are tuned in folds: every draw chooses among them again. */
  readonly tuned?: TunedFrom
  /** Significance level, 0 to 1; intervals cover 1 - level. */
  readonly level: number
  readonly correction: Correction
  /** Draws of the sign flips. */
  readonly draws: number
  readonly seed: number
  /** Direction of good values; a measure such as contamination is better low. */
  readonly better: 'higher' | 'lower'
  /** Range of the values; any value if not given. */
  readonly range?: Range
  /** Margin of equivalence: a difference whose whole interval is within plus or minus this is equivalent. */
  readonly margin?: number
}

/** Two rows by name, compared as `name` minus `baseline`. */
export interface Pair {
  readonly name: string
  readonly baseline: string
  /** The rows that each was chosen from by their values, itself among them; nothing was chosen if not given. */
  readonly names?: readonly string[]
  readonly baselines?: readonly string[]
}

export interface TunedFrom {
  /** The values of the trials behind each row, in the order in which equal ones are chosen. */
  readonly trials: ReadonlyMap<string, readonly Float64Array[]>
  /** Each query's fold in its stratum. */
  readonly folds: Uint8Array
}

/** Compares the pairs of a family over the queries that count (are not NaN) in every row, in the family's order. */
export function compareTrials(input: CompareInput): Comparison[] {
  const { names, matrix, family, level, better, correction, margin } = input
  const range = rangeOfDifference(input.range ?? ANY)
  const counted = countedQueries(matrix, input.strata ?? [matrix[0]?.length ?? 0])
  const rows = new Map(names.map((name, index) => [name, pick(matrix[index], counted)]))
  const rowOf = (name: string) => {
    const row = rows.get(name)
    if (!row) throw new Error(`no row named ${name}`)
    return row
  }
  const pairs = family.map(({ name, baseline }) => {
    const other = rowOf(baseline)
    return {
      name,
      baseline,
      differences: rowOf(name).map((values, stratum) => pairedDifferences(values, other[stratum])),
    }
  })
  const clusters = countedClusters(input, counted)
  const unitsOf = (differences: Strata): Strata =>
    clusters ? differences.map((values, stratum) => byCluster(values, clusters[stratum])) : differences
  const tested = test(input, counted, rows)
  const adjusted = correction === 'max-t' ? tested.adjusted : adjust(tested.ps, correction)
  return pairs.map(({ name, baseline, differences }, index) => {
    const difference = macroMean(differences)
    const signs = differences.map(countSigns)
    const count = (of: 'wins' | 'ties' | 'losses') => signs.reduce((sum, one) => sum + one[of], 0)
    const [wins, ties, losses] = [count('wins'), count('ties'), count('losses')]
    const reached = correction === 'none' ? tested.alone[index] : tested.critical
    const units = unitsOf(differences)
    const independent = units.reduce((sum, { length }) => sum + length, 0)
    const interval = differenceInterval(units, { reached, level, family: family.length })
    const shown = within(meetVerdict(interval, difference, adjusted[index] <= level), range)
    const n = wins + ties + losses
    const sign = better === 'higher' ? 1 : -1
    return {
      name,
      baseline,
      n,
      ...(clusters && { clusters: independent }),
      strata: differences.map((values) => ({ n: values.length, difference: momentsOf(values).mean })),
      difference,
      ...{ low: shown.low, high: shown.high },
      p: tested.ps[index],
      adjusted: adjusted[index],
      wins: sign > 0 ? wins : losses,
      ties,
      losses: sign > 0 ? losses : wins,
      effect: effectSize(differences),
      detectable: detectableDifference({ ...interval, differences: units, range }),
      verdict: verdictOf({
        ...{ n: independent, difference: sign * difference, adjusted: adjusted[index], level },
        equivalent: margin !== undefined && Math.max(-shown.low, shown.high) < margin,
      }),
    }
  })
}

function test(
  { names, matrix, family, draws, seed, level, correction, tuned, clusters }: CompareInput,
  counted: readonly (readonly number[])[],
  rows: ReadonlyMap<string, Strata>,
): MaxT {
  const joined = joinedClusters({ clusters }, counted)
  const summed = (values: Float64Array) => (joined ? clusterSums(values, joined) : values)
  const flat = names.map((name) => summed(weightedByStratum(rows.get(name) ?? [])))
  const places = new Map(names.map((name, index) => [name, index]))
  const placeOf = (name: string) => places.get(name) ?? Number.NaN
  const pairs = family.map(({ name, baseline }) => ({ a: placeOf(name), b: placeOf(baseline) }))
  const observed = pairs.map(({ a, b }) => {
    let sum = 0
    for (let query = 0; query < flat[a].length; query++) sum += flat[a][query] - flat[b][query]
    return Math.abs(sum) * selectionScale(flat[a], flat[b])
  })
  const how = { level, alone: correction === 'none' }
  if (tuned) {
    const { trials, strata, folds } = trialsBehind({ names, matrix, tuned, clusters }, counted)
    const { parts, width } = layOut({ strata, folds })
    const flips = drawFlips(width, draws, seed)
    return maxT(observed, reachOfTuned({ rows: trials, contests: pairs, strata, folds }, parts, flips), {
      ...flips,
      ...how,
    })
  }
  const lists = new Map<readonly string[], number[]>()
  const placesOf = (list: readonly string[] | undefined, chosen: number) => {
    if (!list) return single(chosen)
    const known = lists.get(list) ?? list.map(placeOf)
    lists.set(list, known)
    return known
  }
  const singles = new Map<number, number[]>()
  const single = (place: number) => {
    const known = singles.get(place) ?? [place]
    singles.set(place, known)
    return known
  }
  const contests = pairs.map(({ a, b }, index) => ({
    ...{ a, b, as: placesOf(family[index].names, a), bs: placesOf(family[index].baselines, b) },
  }))
  const used = [...new Set(contests.flatMap(({ as, bs }) => [as, bs]))].flat()
  const differing = differingQueries(flat, used)
  // So few that all flips are used; otherwise a query has the same flips in every set of rows.
  const kept =
    2 ** differing.length <= draws
      ? flat.map((row) => Float64Array.from(differing, (query) => row[query]))
      : flat
  const flips = drawFlips(kept[0]?.length ?? 0, draws, seed)
  return maxT(observed, reachOfChosen(kept, contests, flips), { ...flips, ...how })
}

/** Trials behind tuned rows, over the queries that count in every row. */
export function tunedRowsOf(
  input: Pick<CompareInput, 'names' | 'matrix' | 'strata' | 'clusters'> & {
    readonly tuned: TunedFrom | undefined
  },
): TunedRows | undefined {
  const { matrix, strata, tuned } = input
  return (
    tuned && trialsBehind({ ...input, tuned }, countedQueries(matrix, strata ?? [matrix[0]?.length ?? 0]))
  )
}

function trialsBehind(
  {
    names,
    matrix,
    tuned,
    clusters,
  }: Pick<CompareInput, 'names' | 'matrix' | 'clusters'> & { readonly tuned: TunedFrom },
  counted: readonly (readonly number[])[],
): TunedRows {
  const joined = joinedClusters({ clusters }, counted)
  const strata = counted.flatMap((queries, stratum) => queries.map(() => stratum))
  const folds = counted.flatMap((queries) => queries.map((query) => tuned.folds[query]))
  // About their means before they are summed: clusters differ in size.
  const ofTrial = (values: Float64Array) => {
    const weighted = weightedByStratum(pick(values, counted))
    return joined ? clusterSums(centre(weighted, strata), joined) : weighted
  }
  return {
    trials: names.map((name, index) => (tuned.trials.get(name) ?? [matrix[index]]).map(ofTrial)),
    strata: joined ? clusterFirsts(strata, joined) : strata,
    folds: joined ? clusterFirsts(folds, joined) : folds,
  }
}

/** The clusters of the queries that count, by stratum; undefined where each is one of its own. */
function countedClusters(
  { clusters }: Pick<CompareInput, 'clusters'>,
  counted: readonly (readonly number[])[],
): number[][] | undefined {
  return clusters && counted.map((queries) => queries.map((query) => clusters[query]))
}

/** Clusters of all strata in one list, numbered apart. */
function joinedClusters(
  input: Pick<CompareInput, 'clusters'>,
  counted: readonly (readonly number[])[],
): number[] | undefined {
  const byStratum = countedClusters(input, counted)
  return byStratum?.flatMap((numbers, stratum) =>
    numbers.map((number) => number * byStratum.length + stratum),
  )
}

function differingQueries(rows: readonly Float64Array[], used: readonly number[]): number[] {
  const first = rows[used[0]] ?? new Float64Array()
  return [...first.keys()].filter((query) => used.some((row) => rows[row][query] !== first[query]))
}

/** Places of the queries that are not NaN in any row, by stratum. */
function countedQueries(matrix: readonly Float64Array[], sizes: readonly number[]): number[][] {
  let end = 0
  return sizes.map((size) => {
    end += size
    const indexes: number[] = []
    for (let query = end - size; query < end; query++)
      if (matrix.every((row) => !Number.isNaN(row[query]))) indexes.push(query)
    return indexes
  })
}

function pick(row: Float64Array, strata: readonly (readonly number[])[]): Strata {
  return strata.map((indexes) => Float64Array.from(indexes, (index) => row[index]))
}
