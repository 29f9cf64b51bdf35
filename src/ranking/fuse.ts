import type { Ranking } from '../types.ts'
import { type Norm, onScale, scoreScale } from './normalize.ts'
import { rankPairs } from './order.ts'

/**
 * One list from several. With rank_i from 1, s_i the normalised score and w_i the weight of list i:
 *
 *     rrf             sum of w_i / (rrfK + rank_i)
 *     weighted        sum of w_i * s_i
 *     max             max of s_i
 *     multiplicative  product of max(s_i, 0), only for rows found by every list
 *     combmnz         sum of s_i, times the number of lists that found the row
 *
 * A row missing from a list gets nothing from it; `complete` fills in scores that a cut list lacks. Lists are added in
 * their order, so equal input gives equal bits.
 */
export const FUSIONS = ['rrf', 'weighted', 'max', 'multiplicative', 'combmnz'] as const

/** Scale and weight of one list of a fusion. */
export interface FusionSide {
  /** Above 0. */
  readonly weight: number
  /** The lowest score that the list's search could give; `tmm` reads it. */
  readonly floor?: number
}

export type Fusion =
  | { readonly fusion: 'rrf'; readonly rrfK: number }
  | { readonly fusion: Exclude<(typeof FUSIONS)[number], 'rrf'>; readonly norm: Norm }

export interface Aligned {
  readonly rankings: readonly Ranking[]
  /** The union, in the order of being met. */
  readonly rows: Uint32Array
  /** Index of each row by [ranking][row], from 0; -1 if the ranking does not hold the row. */
  readonly indexes: readonly Int32Array[]
}

export function align(rankings: readonly Ranking[]): Aligned {
  const numbers = new Map<number, number>()
  for (const { rows } of rankings)
    for (const row of rows) if (!numbers.has(row)) numbers.set(row, numbers.size)
  const indexes = rankings.map(({ rows }) => {
    const indexOf = new Int32Array(numbers.size).fill(-1)
    for (let i = 0; i < rows.length; i++) indexOf[numbers.get(rows[i]) as number] = i
    return indexOf
  })
  return { rankings, rows: Uint32Array.from(numbers.keys()), indexes }
}

/**
 * Extends each list of a union to the rows with a score in `scores` [ranking][row]; NaN if its search does not find the
 * row.
 */
export function complete({ rankings, rows }: Aligned, scores: readonly Float64Array[]): Aligned {
  return {
    rankings: rankings.map(({ extremes }, list) => ({ rows, scores: scores[list], extremes })),
    rows,
    indexes: scores.map((values) => Int32Array.from(values, (score, i) => (Number.isNaN(score) ? -1 : i))),
  }
}

/** Fuses lists, one a side, into one as long as their union (`multiplicative`: their intersection). Throws on NaN. */
export function fuse(aligned: Aligned, sides: readonly FusionSide[], how: Fusion): Ranking {
  const { rows } = aligned
  const scores = fusedScores(aligned, sides, how)
  return how.fusion === 'multiplicative'
    ? intersection(aligned, scores)
    : rankPairs(rows, scores, rows.length)
}

function fusedScores(aligned: Aligned, sides: readonly FusionSide[], how: Fusion): Float64Array {
  const { rankings, indexes, rows } = aligned
  const scores = new Float64Array(rows.length).fill(start(how.fusion))
  for (let list = 0; list < indexes.length; list++) {
    const { weight, floor } = sides[list]
    if (how.fusion === 'rrf') addRanks(scores, indexes[list], weight, how.rrfK)
    else {
      const scaled = scaledScores(rankings[list], indexes[list], how.norm, floor)
      if (how.fusion === 'weighted') addScores(scores, scaled, weight)
      else if (how.fusion === 'combmnz') addScores(scores, scaled, 1)
      else if (how.fusion === 'max') keepBest(scores, scaled, indexes[list])
      else multiply(scores, scaled)
    }
  }
  if (how.fusion === 'combmnz') for (let i = 0; i < scores.length; i++) scores[i] *= holders(aligned, i)
  return scores
}

function holders({ indexes }: Aligned, i: number): number {
  return indexes.reduce((count, places) => count + (places[i] < 0 ? 0 : 1), 0)
}

function start(fusion: Fusion['fusion']): number {
  return fusion === 'max' ? Number.NEGATIVE_INFINITY : fusion === 'multiplicative' ? 1 : 0
}

function scaledScores(ranking: Ranking, indexes: Int32Array, norm: Norm, floor?: number): Float64Array {
  const scale = scoreScale(ranking, norm, floor)
  const scaled = new Float64Array(indexes.length)
  for (let i = 0; i < indexes.length; i++)
    if (indexes[i] >= 0) scaled[i] = onScale(ranking.scores[indexes[i]], scale)
  return scaled
}

function addRanks(sums: Float64Array, indexes: Int32Array, weight: number, rrfK: number): void {
  for (let i = 0; i < sums.length; i++) if (indexes[i] >= 0) sums[i] += weight / (rrfK + indexes[i] + 1)
}

/** A row that the list does not hold adds 0. */
function addScores(sums: Float64Array, scores: Float64Array, weight: number): void {
  for (let i = 0; i < sums.length; i++) sums[i] += weight * scores[i]
}

function keepBest(best: Float64Array, scores: Float64Array, indexes: Int32Array): void {
  for (let i = 0; i < best.length; i++) if (indexes[i] >= 0) best[i] = Math.max(best[i], scores[i])
}

/** Two negative factors would make a good product of two bad scores. */
function multiply(products: Float64Array, scores: Float64Array): void {
  for (let i = 0; i < products.length; i++) products[i] *= Math.max(scores[i], 0)
}

function intersection(aligned: Aligned, scores: Float64Array): Ranking {
  const { rows, indexes } = aligned
  const everywhere = [...rows.keys()].filter((i) => holders(aligned, i) === indexes.length)
  return rankPairs(
    everywhere.map((i) => rows[i]),
    everywhere.map((i) => scores[i]),
    everywhere.length,
  )
}
