import type { ComparedRow, Estimate } from '../results/summary.ts'
import type { Verdict } from '../statistics/compare.ts'
import { percent, pointsInterval } from './numbers.ts'

type Signs = Pick<ComparedRow, 'wins' | 'ties' | 'losses'>

export function countVerdicts({ wins, ties, losses }: Signs): number {
  return wins + ties + losses
}

export function isIdentical({ wins, losses }: Signs): boolean {
  return wins === 0 && losses === 0
}

/** Verdict in tables: 'identical' for a tie on every query. */
export function verdictWord(row: Signs & { readonly verdict: string }): string {
  return isIdentical(row) ? 'identical' : row.verdict
}

/** Interval of a difference, or wins and losses, or the reason for having no test. */
export function limitsInWords(
  { low, high, p, wins, losses, untested }: Signs & Pick<ComparedRow, 'low' | 'high' | 'p' | 'untested'>,
  shown: (low: number, high: number) => string = pointsInterval,
): string {
  if (low !== null && high !== null) return shown(low, high)
  return p === null ? (untested ?? '') : `won ${wins}, lost ${losses}`
}

/** For prose: an interval has brackets of its own. */
export function bracketed(limits: string): string {
  return limits.startsWith('[') ? limits : `(${limits})`
}

export const VERDICT_MARKS = { better: '▲', worse: '▼', equivalent: '■', 'cannot tell': '○' } as const

export function verdictMark(row: Signs & { readonly verdict: Verdict }): string {
  return isIdentical(row) ? '=' : VERDICT_MARKS[row.verdict]
}

/** '▲ better, = identical': marks that occur in the rows. */
export function markLegend(rows: readonly (Signs & { readonly verdict: Verdict })[]): string {
  return Object.entries({ ...VERDICT_MARKS, identical: '=' })
    .filter(([word]) => rows.some((row) => verdictWord(row) === word))
    .map(([word, mark]) => `${mark} ${word}`)
    .join(', ')
}

/** A row's estimates of the primary measure. */
export interface Rival {
  readonly name: string
  readonly whole: Estimate
  readonly groups: Readonly<Record<string, Estimate | undefined>>
}

/** Smaller differences of means are rounding. */
export const ROUNDING = 1e-12

/** Rank of the row at `index`; equal means share the first rank. */
export function rankOf(index: number, means: readonly (number | undefined)[]): number {
  const target = means[index] ?? Number.NaN
  const first = means.findIndex((mean) => mean !== undefined && Math.abs(mean - target) < ROUNDING)
  return (first < 0 ? index : first) + 1
}

export function tiedWith<R extends Pick<Rival, 'whole'>>([first, ...others]: readonly R[]): R[] {
  return others.filter(({ whole }) => Math.abs(whole.mean - first.whole.mean) < ROUNDING)
}

interface Loss {
  readonly group: string
  readonly n: number
  readonly mean: number
  readonly other: string
  readonly otherMean: number
}

/** Smallest group with reliable intervals. */
const MIN_GROUP = 10

/**
 * Groups in which the first row's interval is below another row's, with the best such row; widest gap first. `sign`
 * is -1 if low values are good. This is no test: the number of groups is not corrected for.
 */
export function lossesOf([first, ...others]: readonly Rival[], sign: 1 | -1): Loss[] {
  return Object.entries(first.groups)
    .flatMap(([group, estimate]): Loss[] => {
      if (!estimate || estimate.n < MIN_GROUP) return []
      const [best] = others
        .flatMap(({ name, groups }) => {
          const other = groups[group]
          return other && isBelow(estimate, other, sign) ? [{ name, mean: other.mean }] : []
        })
        .sort((a, b) => sign * (b.mean - a.mean))
      return best
        ? [{ group, n: estimate.n, mean: estimate.mean, other: best.name, otherMean: best.mean }]
        : []
    })
    .sort((a, b) => Math.abs(b.otherMean - b.mean) - Math.abs(a.otherMean - a.mean))
}

function isBelow(estimate: Estimate, other: Estimate, sign: 1 | -1): boolean {
  const [near, far] = sign > 0 ? [estimate.high, other.low] : [other.high, estimate.low]
  return near !== null && far !== null && near < far
}

/** 'paraphrase (n = 15): 6.7, naive 73.3'. */
export function lossInWords({ group, n, mean, other, otherMean }: Loss): string {
  return `${group} (n = ${n}), ${percent(mean)} against ${percent(otherMean)} of ${other}`
}
