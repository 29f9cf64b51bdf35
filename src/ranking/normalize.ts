import type { Ranking } from '../types.ts'

/**
 * Brings the scores of different searches to one scale, per query and over the list alone:
 *
 *     none    s
 *     minmax  (s - min) / (max - min)
 *     tmm     (s - floor) / (max - floor), floor = the least score the search could give (cosine -1, BM25 0)
 *     zscore  (s - mean) / sigma
 *     dbsf    (s - (mean - 3 sigma)) / (6 sigma), not clamped
 *
 * sigma is the population's. Where a denominator is 0 (a constant list) every score becomes 0.
 * minmax and zscore: Lee, SIGIR 1995/1997; tmm: Bruch, Gai, Ingber, TOIS 2023; dbsf: Mazzeschi 2023, as in Haystack.
 */
export const NORMS = ['none', 'minmax', 'tmm', 'zscore', 'dbsf'] as const
export type Norm = (typeof NORMS)[number]

/** The scores of `ranking` on the scale of `norm`, in the ranking's order. `floor` is read by `tmm` only. */
export function normalize({ scores }: Pick<Ranking, 'scores'>, norm: Norm, floor = 0): Float64Array {
  if (norm === 'none' || scores.length === 0) return scores
  const { least, most } = bounds(scores)
  // A constant list has no spread; its sigma may be off 0 by rounding, so it is told by its bounds.
  if (norm === 'minmax') return scale(scores, least, most - least)
  if (norm === 'tmm') return scale(scores, floor, most - floor)
  if (least === most) return new Float64Array(scores.length)
  const { mean, sigma } = moments(scores)
  return norm === 'zscore' ? scale(scores, mean, sigma) : scale(scores, mean - 3 * sigma, 6 * sigma)
}

function scale(scores: Float64Array, from: number, width: number): Float64Array {
  return width === 0 ? new Float64Array(scores.length) : scores.map((score) => (score - from) / width)
}

function bounds(scores: Float64Array): { least: number; most: number } {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (const score of scores) {
    if (score < least) least = score
    if (score > most) most = score
  }
  return { least, most }
}

function moments(scores: Float64Array): { mean: number; sigma: number } {
  let sum = 0
  for (const score of scores) sum += score
  const mean = sum / scores.length
  let squares = 0
  for (const score of scores) squares += (score - mean) ** 2
  return { mean, sigma: Math.sqrt(squares / scores.length) }
}
