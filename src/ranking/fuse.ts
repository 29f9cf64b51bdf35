import type { Ranking } from '../types.ts'
import type { Aligned } from './align.ts'
import { type Norm, onScale, scaleOf } from './normalize.ts'
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

/** Fuses lists, one a side, into one as long as their union (`multiplicative`: their intersection). */
export function fuse({ rankings, rows, places }: Aligned, sides: readonly Side[], how: Fusion): Ranking {
  const scores = new Float64Array(rows.length).fill(start(how.fusion))
  rankings.forEach((ranking, list) => {
    const { weight, floor } = sides[list]
    const scale = scaleOf(ranking.scores, how.fusion === 'rrf' ? 'none' : how.norm, floor)
    const own = places[list]
    for (let i = 0; i < own.length; i++) {
      const place = own[i]
      if (place < 0) continue
      if (how.fusion === 'rrf') {
        scores[i] += weight / (how.rrfK + place + 1)
        continue
      }
      const score = onScale(ranking.scores[place], scale)
      if (how.fusion === 'weighted') scores[i] += weight * score
      else if (how.fusion === 'combmnz') scores[i] += score
      else if (how.fusion === 'max') scores[i] = Math.max(scores[i], score)
      // Two negative factors would make a good product of two bad scores.
      else scores[i] *= Math.max(score, 0)
    }
  })
  const holders = (i: number) => places.reduce((count, own) => count + (own[i] < 0 ? 0 : 1), 0)
  if (how.fusion === 'combmnz') for (let i = 0; i < scores.length; i++) scores[i] *= holders(i)
  if (how.fusion !== 'multiplicative') return rankPairs(rows, scores, rows.length)
  const everywhere = [...rows.keys()].filter((i) => holders(i) === places.length)
  return rankPairs(
    everywhere.map((i) => rows[i]),
    everywhere.map((i) => scores[i]),
    everywhere.length,
  )
}

/** What a row has before any list adds to it. */
function start(fusion: Fusion['fusion']): number {
  return fusion === 'max' ? Number.NEGATIVE_INFINITY : fusion === 'multiplicative' ? 1 : 0
}
