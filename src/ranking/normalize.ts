import type { Extremes, Ranking } from '../types.ts'

/**
 * Norms of scores, per query. Where a denominator is 0 (a constant list) every score becomes 0.
 *
 *     corpus  (s - min) / (max - min), min and max over all chunks, one that is not found having 0
 *     none    s
 *     minmax  (s - min) / (max - min) over the list
 *     tmm     (s - floor) / (max - floor), floor = the lowest score the search could give (cosine -1, BM25 0)
 *     zscore  (s - mean) / sigma, the population's
 *     dbsf    (s - (mean - 3 sigma)) / (6 sigma), not clamped
 */
export const NORMS = ['corpus', 'none', 'minmax', 'tmm', 'zscore', 'dbsf'] as const
export type Norm = (typeof NORMS)[number]

/** A width beneath this is none: a score over it would be infinite. */
const NO_WIDTH = 1e-290

interface ScoreScale {
  readonly from: number
  readonly width: number
}

/** The scale on which `norm` puts these scores. `floor` is read by `tmm` only, `extremes` by `corpus`. */
export function scoreScale(
  { scores, extremes }: Pick<Ranking, 'scores' | 'extremes'>,
  norm: Norm,
  floor = 0,
): ScoreScale {
  if (norm === 'none' || scores.length === 0) return { from: 0, width: 1 }
  if (norm === 'corpus') {
    if (!extremes) throw new Error('the norm `corpus` needs lists of searches, which know all their scores')
    return { from: extremes.min, width: extremes.max - extremes.min }
  }
  const { min, max } = minMax(scores)
  if (norm === 'minmax') return { from: min, width: max - min }
  if (norm === 'tmm') return { from: floor, width: max - floor }
  // A constant list has no spread; its sigma may be off 0 by rounding, so its bounds decide.
  if (min === max) return { from: min, width: 0 }
  const { mean, sigma } = moments(scores)
  return norm === 'zscore' ? { from: mean, width: sigma } : { from: mean - 3 * sigma, width: 6 * sigma }
}

export function onScale(score: number, { from, width }: ScoreScale): number {
  return Math.abs(width) < NO_WIDTH ? 0 : (score - from) / width
}

export function normalize(list: Pick<Ranking, 'scores' | 'extremes'>, norm: Norm, floor = 0): Float64Array {
  const { scores } = list
  const scale = scoreScale(list, norm, floor)
  const scaled = new Float64Array(scores.length)
  for (let i = 0; i < scores.length; i++) scaled[i] = onScale(scores[i], scale)
  return scaled
}

export function minMax(scores: Float64Array): Extremes {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (let i = 0; i < scores.length; i++) {
    if (scores[i] < min) min = scores[i]
    if (scores[i] > max) max = scores[i]
  }
  return { min, max }
}

/** Min-max scores times `weight`; a constant list becomes all `weight`, as in HippoRAG. */
export function minMaxOrOne(scores: ArrayLike<number>, weight = 1): Float64Array {
  // Copied first: loops are fast over one kind of array.
  const moved = new Float64Array(scores)
  const { min, max } = minMax(moved)
  if (max > min) for (let i = 0; i < moved.length; i++) moved[i] = ((moved[i] - min) / (max - min)) * weight
  else moved.fill(weight)
  return moved
}

function moments(scores: Float64Array): { mean: number; sigma: number } {
  let sum = 0
  for (const score of scores) sum += score
  const mean = sum / scores.length
  let squares = 0
  for (const score of scores) squares += (score - mean) ** 2
  return { mean, sigma: Math.sqrt(squares / scores.length) }
}
