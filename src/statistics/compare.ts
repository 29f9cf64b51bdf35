import { bootstrapIntervals } from './bootstrap.ts'
import type { Comparison } from './comparison.ts'
import { adjust, type Correction } from './correction.ts'
import { effectSize } from './effect.ts'
import { equivalenceTest } from './equivalence.ts'
import { detectableDifference } from './power.ts'
import { drawFlips, randomizationTest } from './randomization.ts'
import { countSigns } from './sign-test.ts'
import { macroMean, type Strata, weighted } from './strata.ts'
import { differences, momentsOf } from './summarize.ts'
import { verdictOf } from './verdict.ts'

/** What a comparison is asked of: values by [row][query], NaN where a query does not count for the measure. */
export interface CompareInput {
  /** One name a row, unique: results do not depend on the order of the rows. */
  readonly names: readonly string[]
  readonly matrix: readonly Float64Array[]
  /** How many queries each stratum (dataset) has, one after another; all are of one if not given. */
  readonly strata?: readonly number[]
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

/**
 * Compares the pairs of a family over the queries that count (are not NaN) in every row. Comparisons stand in the
 * family's order; what one says does not depend on the order of rows, nor, but for `adjusted`, on the other pairs.
 */
export function compareTrials(input: CompareInput): Comparison[] {
  const { names, matrix, family, level, draws, seed, better } = input
  const counted = countedQueries(matrix, input.strata ?? [matrix[0]?.length ?? 0])
  const rows = new Map(names.map((name, index) => [name, pick(matrix[index], counted)]))
  const flips = drawFlips(counted.flat().length, draws, seed)
  const rowOf = (name: string) => {
    const row = rows.get(name)
    if (!row) throw new Error(`no row named ${name}`)
    return row
  }
  const pairs = family.map(({ name, baseline }) => {
    const [row, other] = [rowOf(name), rowOf(baseline)]
    const own = row.map((values, stratum) => differences(values, other[stratum]))
    return { name, baseline, own, p: randomizationTest(weighted(own), flips) }
  })
  const adjusted = adjust(
    pairs.map(({ p }) => p),
    input.correction,
  )
  const intervals = bootstrapIntervals(
    pairs.map(({ own }) => own),
    { draws, seed, level },
  )
  return pairs.map(({ name, baseline, own, p }, index) => {
    const difference = macroMean(own)
    const signs = own.map(countSigns)
    const count = (of: 'wins' | 'ties' | 'losses') => signs.reduce((sum, one) => sum + one[of], 0)
    const [wins, ties, losses] = [count('wins'), count('ties'), count('losses')]
    const n = wins + ties + losses
    const equivalence = input.margin === undefined ? null : equivalenceTest(own, input.margin)
    const sign = better === 'higher' ? 1 : -1
    return {
      name,
      baseline,
      n,
      strata: own.map((values) => ({ n: values.length, difference: momentsOf(values).mean })),
      difference,
      ...intervals[index],
      p,
      adjusted: adjusted[index],
      wins: sign > 0 ? wins : losses,
      ties,
      losses: sign > 0 ? losses : wins,
      effect: effectSize(own),
      detectable: detectableDifference(own, level),
      equivalence,
      verdict: verdictOf({ n, difference: sign * difference, adjusted: adjusted[index], equivalence, level }),
    }
  })
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
