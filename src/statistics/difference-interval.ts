import { studentQuantile } from './distributions.ts'
import { errorOf, macroMean, type Strata } from './strata.ts'
import { FEWEST_QUERIES } from './verdict.ts'

/**
 * Simultaneous intervals of the differences of a family: they hold together, with 1 - level, whatever was chosen,
 *
 *     d +- c se,    c = S sqrt((n - 1) / (n - S^2)),
 *
 * S what chance reaches over the family (max-t.ts), turned into Student's t, and never below Student's own quantile. Of
 * fewer queries than a verdict is given on, c is Student's, split over the family (Bonferroni): there are too few flips.
 */
export interface DifferenceInterval {
  readonly low: number
  readonly high: number
  /** c. */
  readonly critical: number
  readonly error: ReturnType<typeof errorOf>
}

export function differenceInterval(
  differences: Strata,
  {
    reached,
    level,
    family,
  }: {
    readonly reached: number
    readonly level: number
    readonly family: number
  },
): DifferenceInterval {
  const difference = macroMean(differences)
  const error = errorOf(differences)
  const { spread, root, df } = error
  // One query says nothing of how much others vary; equal differences say that they do not.
  if (!(spread > 0)) return { low: difference, high: difference, critical: Number.POSITIVE_INFINITY, error }
  const n = differences.reduce((sum, values) => sum + values.length, 0)
  const critical =
    n < FEWEST_QUERIES || reached ** 2 >= n
      ? studentQuantile(level / 2 / family, df)
      : Math.max(reached * Math.sqrt((n - 1) / (n - reached ** 2)), studentQuantile(level / 2, df))
  const half = (critical * spread) / root
  return { low: difference - half, high: difference + half, critical, error }
}

/**
 * Verdict and interval agree: where the test decides and the interval reaches over 0, as that of a step-down test may, 0 is
 * its limit (Strassburger and Bretz, Statistics in Medicine 27, 2008); where a weaker correction does not, it reaches to 0.
 */
export function meetVerdict(
  { low, high }: DifferenceInterval,
  difference: number,
  decided: boolean,
): { low: number; high: number } {
  if (difference === 0) return { low, high }
  if (decided) return difference > 0 ? { low: Math.max(low, 0), high } : { low, high: Math.min(high, 0) }
  return { low: Math.min(low, 0), high: Math.max(high, 0) }
}
