import { bootstrapIntervals, drawResamples } from './bootstrap.ts'
import { adjust, type Correction } from './correction.ts'
import { effectSize } from './effect.ts'
import { equivalenceTest } from './equivalence.ts'
import { detectableDifference } from './power.ts'
import { drawFlips, randomizationTest } from './randomization.ts'
import { countSigns } from './sign-test.ts'
import { differences, momentsOf } from './summarize.ts'
import { type Verdict, verdictOf } from './verdict.ts'

/** What a comparison is asked of: values by [row][query], NaN where a query does not count for the measure. */
export interface CompareInput {
  /** One name a row, unique: results do not depend on the order of the rows. */
  readonly names: readonly string[]
  readonly matrix: readonly Float64Array[]
  /** Pairs of row names: each is compared as `name` minus `baseline`. */
  readonly family: readonly { readonly name: string; readonly baseline: string }[]
  /** Significance level, 0 to 1; intervals cover 1 - level. */
  readonly level: number
  readonly correction: Correction
  /** Draws of randomization and bootstrap. */
  readonly draws: number
  readonly seed: number
  /** Whether high values are good; a measure such as contamination is better low. */
  readonly better: 'higher' | 'lower'
  /** Differences within plus or minus this are equivalent (TOST), where asked. */
  readonly margin?: number
}

/** Two rows compared over the queries that count for both. */
export interface Comparison {
  readonly name: string
  readonly baseline: string
  /** Queries. */
  readonly n: number
  /** Mean of name minus baseline, with its paired bootstrap interval. */
  readonly difference: number
  readonly low: number
  readonly high: number
  /** Paired randomization test, two-sided; `adjusted` over the family. */
  readonly p: number
  readonly adjusted: number
  /** Queries on which the name is better, equal, worse. */
  readonly wins: number
  readonly ties: number
  readonly losses: number
  /** Cohen's d of the paired differences; 0 where they do not vary. */
  readonly effect: number
  /** The smallest difference that one test at this level shows 80 % of the time; null where differences do not vary. */
  readonly detectable: number | null
  /** TOST's p, where a margin was given. */
  readonly equivalence: number | null
  readonly verdict: Verdict
}

/**
 * Compares the pairs of a family over the queries that count (are not NaN) in every row. Comparisons stand in the
 * family's order; what one says does not depend on the order of rows, nor, but for `adjusted`, on the other pairs.
 */
export function compareTrials(input: CompareInput): Comparison[] {
  const { names, matrix, family, level, draws, seed, better } = input
  const counted = countedQueries(matrix)
  const rows = new Map(names.map((name, place) => [name, pick(matrix[place], counted)]))
  const resamples = drawResamples(counted.length, draws, seed)
  const flips = drawFlips(counted.length, draws, seed)
  const rowOf = (name: string) => {
    const row = rows.get(name)
    if (!row) throw new Error(`no row named ${name}`)
    return row
  }
  const pairs = family.map(({ name, baseline }) => {
    const own = differences(rowOf(name), rowOf(baseline))
    return { name, baseline, own, p: randomizationTest(own, flips) }
  })
  const adjusted = adjust(
    pairs.map(({ p }) => p),
    input.correction,
  )
  const intervals = bootstrapIntervals(
    pairs.map(({ own }) => own),
    resamples,
    level,
  )
  return pairs.map(({ name, baseline, own, p }, place) => {
    const { n, mean } = momentsOf(own)
    const { wins, ties, losses } = countSigns(own)
    const equivalence = input.margin === undefined ? null : equivalenceTest(own, input.margin)
    const sign = better === 'higher' ? 1 : -1
    return {
      name,
      baseline,
      n,
      difference: mean,
      ...intervals[place],
      p,
      adjusted: adjusted[place],
      wins: sign > 0 ? wins : losses,
      ties,
      losses: sign > 0 ? losses : wins,
      effect: effectSize(own),
      detectable: detectableDifference(own, level),
      equivalence,
      verdict: verdictOf({ n, difference: sign * mean, adjusted: adjusted[place], equivalence, level }),
    }
  })
}

/** Places of the queries that are not NaN in any row. */
function countedQueries(matrix: readonly Float64Array[]): number[] {
  const places: number[] = []
  for (let query = 0; query < (matrix[0]?.length ?? 0); query++)
    if (matrix.every((row) => !Number.isNaN(row[query]))) places.push(query)
  return places
}

function pick(row: Float64Array, places: readonly number[]): Float64Array {
  return Float64Array.from(places, (place) => row[place])
}
