import type { ComparedRow, Estimate } from '../results/summary.ts'
import type { Verdict } from '../statistics/verdict.ts'
import { percent } from './numbers.ts'

type Signs = Pick<ComparedRow, 'wins' | 'ties' | 'losses'>

/** The queries of a paired comparison. */
export function countVerdicts({ wins, ties, losses }: Signs): number {
  return wins + ties + losses
}

/** Whether both rows score the same on every query. */
export function isIdentical({ wins, losses }: Signs): boolean {
  return wins === 0 && losses === 0
}

/** The verdict as tables show it: a tie on every query is known, so it is not "cannot tell". */
export function verdictWord(row: Signs & { readonly verdict: string }): string {
  return isIdentical(row) ? 'identical' : row.verdict
}

/** The marks of verdicts, in tables and pictures alike. */
export const VERDICT_MARKS = { better: '▲', worse: '▼', equivalent: '■', 'cannot tell': '○' } as const

/** The mark of a compared row's verdict. */
export function verdictMark(row: Signs & { readonly verdict: Verdict }): string {
  return isIdentical(row) ? '=' : VERDICT_MARKS[row.verdict]
}

/** What a verdict asks of the rows that it names: means of the primary measure, of all and by group of queries. */
export interface Rival {
  readonly name: string
  readonly whole: Estimate
  /** By category, or by dataset. */
  readonly groups: Readonly<Record<string, Estimate | undefined>>
}

/** Means that differ by less have been rounded differently. */
export const ROUNDING = 1e-12

/** The rank of the row at `index`, best first: rows with the same mean share the first of their ranks. */
export function rankOf(index: number, means: readonly (number | undefined)[]): number {
  const own = means[index] ?? Number.NaN
  const first = means.findIndex((mean) => mean !== undefined && Math.abs(mean - own) < ROUNDING)
  return (first < 0 ? index : first) + 1
}

/** The rows beside the first whose mean is the same. */
export function tiedWith<R extends Pick<Rival, 'whole'>>([first, ...others]: readonly R[]): R[] {
  return others.filter(({ whole }) => Math.abs(whole.mean - first.whole.mean) < ROUNDING)
}

/** The rows below the first whose mean lies inside its interval. */
export function insideInterval<R extends Pick<Rival, 'whole'>>([first, ...others]: readonly R[]): R[] {
  const { mean, low, high } = first.whole
  if (low === null || high === null) return []
  return others.filter(
    ({ whole }) => low <= whole.mean && whole.mean <= high && Math.abs(whole.mean - mean) >= ROUNDING,
  )
}

/** A group of queries in which the first row is far behind another. */
interface Loss {
  readonly group: string
  readonly n: number
  readonly mean: number
  readonly other: string
  readonly otherMean: number
}

/** A group of fewer queries has intervals that nobody should read. */
const FEWEST_IN_GROUP = 10

/**
 * Where the first row's interval ends below where that of another begins, the best other one of each such group; the
 * widest gap first. `sign` is -1 for a measure that is better low. Intervals of the same queries that do not overlap
 * differ clearly, but nothing is tested here, nor corrected for the number of groups.
 */
export function lossesOf([first, ...others]: readonly Rival[], sign: 1 | -1): Loss[] {
  return Object.entries(first.groups)
    .flatMap(([group, own]): Loss[] => {
      if (!own || own.n < FEWEST_IN_GROUP) return []
      const [best] = others
        .flatMap(({ name, groups }) => {
          const estimate = groups[group]
          return estimate && isBelow(own, estimate, sign) ? [{ name, mean: estimate.mean }] : []
        })
        .sort((a, b) => sign * (b.mean - a.mean))
      return best ? [{ group, n: own.n, mean: own.mean, other: best.name, otherMean: best.mean }] : []
    })
    .sort((a, b) => Math.abs(b.otherMean - b.mean) - Math.abs(a.otherMean - a.mean))
}

function isBelow(own: Estimate, other: Estimate, sign: 1 | -1): boolean {
  const [near, far] = sign > 0 ? [own.high, other.low] : [other.high, own.low]
  return near !== null && far !== null && near < far
}

/** 'paraphrase (n = 15): 6.7, naive 73.3'. */
export function lossInWords({ group, n, mean, other, otherMean }: Loss): string {
  return `${group} (n = ${n}): ${percent(mean)}, ${other} ${percent(otherMean)}`
}
