import type { Ranking } from '../types.ts'
import type { Aligned } from './align.ts'
import { HeadedRanking } from './headed.ts'
import { type Norm, onScale, scaleOf } from './normalize.ts'
import { rankPairs } from './order.ts'
import { inOrder, sortHead, sortOrder } from './sort.ts'

/**
 * One list from several. With rank_i from 1, s_i the normalised score and w_i the weight of list i:
 *
 *     rrf             sum of w_i / (rrfK + rank_i)
 *     weighted        sum of w_i * s_i
 *     max             max of s_i
 *     multiplicative  product of max(s_i, 0), only for rows found by every list
 *     combmnz         sum of s_i, times the number of lists that found the row
 *
 * A row missing from a list gets nothing from it. max, multiplicative and combmnz know no weights. Lists are added in their order, so that equal input gives equal bits.
 * Cormack, Clarke, Buettcher, SIGIR 2009 (rrf); Fox and Shaw, TREC-2, 1994 (CombMNZ).
 */
export const FUSIONS = ['rrf', 'weighted', 'max', 'multiplicative', 'combmnz'] as const

/** How a fusion reads one of its lists. */
export interface Side {
  /** Above 0. */
  readonly weight: number
  /** The least score that the list's search could give; `tmm` reads it. */
  readonly floor?: number
}

export type Fusion =
  | { readonly fusion: 'rrf'; readonly rrfK: number }
  | { readonly fusion: Exclude<(typeof FUSIONS)[number], 'rrf'>; readonly norm: Norm }

/** Heads of fused lists are so long: as deep as an experiment looks where its config says nothing else. */
const HEAD = 100

/** Fuses lists, one a side, into one as long as their union (`multiplicative`: their intersection). Throws on NaN. */
export function fuse(aligned: Aligned, sides: readonly Side[], how: Fusion): Ranking {
  const { rows, desk } = aligned
  weigh(aligned, sides, how)
  if (how.fusion === 'multiplicative') return intersection(aligned)
  if (desk.readsWhole || rows.length <= HEAD) return sorted(aligned)
  const kept = sortHead(desk.order, { rows, scores: desk.scores }, desk.spare, HEAD)
  return new HeadedRanking(written(aligned, kept), rows, () => {
    desk.readsWhole = true
    weigh(aligned, sides, how)
    return sorted(aligned)
  })
}

/** Leaves the fused scores on the desk. */
function weigh(aligned: Aligned, sides: readonly Side[], how: Fusion): void {
  const { places, desk } = aligned
  const { scores } = desk
  scores.fill(start(how.fusion))
  const scaled = how.fusion === 'rrf' ? [] : scale(aligned, sides, how.norm)
  for (let list = 0; list < places.length; list++) {
    const { weight } = sides[list]
    if (how.fusion === 'rrf') addRanks(scores, places[list], weight, how.rrfK)
    else if (how.fusion === 'weighted') addScores(scores, scaled[list], weight)
    else if (how.fusion === 'combmnz') addScores(scores, scaled[list], 1)
    else if (how.fusion === 'max') keepBest(scores, scaled[list], places[list])
    else multiply(scores, scaled[list])
  }
  if (how.fusion === 'combmnz') for (let i = 0; i < scores.length; i++) scores[i] *= holders(aligned, i)
}

/** How many lists hold the row at place `i`. */
function holders({ places }: Aligned, i: number): number {
  return places.reduce((count, own) => count + (own[i] < 0 ? 0 : 1), 0)
}

/** What a row has before any list adds to it. */
function start(fusion: Fusion['fusion']): number {
  return fusion === 'max' ? Number.NEGATIVE_INFINITY : fusion === 'multiplicative' ? 1 : 0
}

/** The lists' scores on their scales, kept on the desk for the next fusion with the same norm. */
function scale(
  { rankings, places, desk }: Aligned,
  sides: readonly Side[],
  norm: Norm,
): readonly Float64Array[] {
  const name = norm === 'tmm' ? `tmm ${sides.map(({ floor }) => floor).join(' ')}` : norm
  if (desk.scale !== name)
    rankings.forEach(({ scores }, list) => {
      const own = places[list]
      const on = scaleOf(scores, norm, sides[list].floor)
      for (let i = 0; i < own.length; i++) if (own[i] >= 0) desk.scaled[list][i] = onScale(scores[own[i]], on)
    })
  desk.scale = name
  return desk.scaled
}

function addRanks(sums: Float64Array, places: Int32Array, weight: number, rrfK: number): void {
  for (let i = 0; i < sums.length; i++) if (places[i] >= 0) sums[i] += weight / (rrfK + places[i] + 1)
}

/** A row that the list does not hold adds 0. */
function addScores(sums: Float64Array, scores: Float64Array, weight: number): void {
  for (let i = 0; i < sums.length; i++) sums[i] += weight * scores[i]
}

function keepBest(best: Float64Array, scores: Float64Array, places: Int32Array): void {
  for (let i = 0; i < best.length; i++) if (places[i] >= 0) best[i] = Math.max(best[i], scores[i])
}

/** Two negative factors would make a good product of two bad scores. */
function multiply(products: Float64Array, scores: Float64Array): void {
  for (let i = 0; i < products.length; i++) products[i] *= Math.max(scores[i], 0)
}

/** What every list holds, by the scores on the desk. */
function intersection(aligned: Aligned): Ranking {
  const { rows, places, desk } = aligned
  const everywhere = [...rows.keys()].filter((i) => holders(aligned, i) === places.length)
  return rankPairs(
    everywhere.map((i) => rows[i]),
    everywhere.map((i) => desk.scores[i]),
    everywhere.length,
  )
}

/** The union by the scores on the desk; sorting begins where the last fusion ended. */
function sorted(aligned: Aligned): Ranking {
  const { rows, desk } = aligned
  sortOrder(desk.order, { rows, scores: desk.scores }, desk.spare)
  return written(aligned, rows.length)
}

function written({ rows, desk: { order, scores, room } }: Aligned, count: number): Ranking {
  return inOrder(order, { rows, scores }, room.take(count))
}
