import type { Ranking } from '../types.ts'
import { type Norm, onScale, scaleOf } from './normalize.ts'
import { rankPairs } from './order.ts'
import { createSlots } from './slots.ts'

/**
 * One list from several. With rank_i from 1, s_i the normalised score and w_i the weight of list i:
 *
 *     rrf             sum of w_i / (rrfK + rank_i)
 *     weighted        sum of w_i * s_i
 *     max             max of s_i
 *     multiplicative  product of max(s_i, 0), only for rows found by every list
 *     combmnz         sum of s_i, times the number of lists that found the row
 *
 * A row missing from a list gets nothing from it. A list with weight 0 is not read; max, multiplicative and combmnz
 * know no weights beyond that. Lists are added in their order, so that equal input gives equal bits.
 * Cormack, Clarke, Buettcher, SIGIR 2009 (rrf); Fox and Shaw, TREC-2, 1994 (CombMNZ).
 */
export const FUSIONS = ['rrf', 'weighted', 'max', 'multiplicative', 'combmnz'] as const

export interface FusedList {
  readonly ranking: Ranking
  /** At least 0. */
  readonly weight: number
  /** The least score that the list's search could give; `tmm` reads it. */
  readonly floor?: number
}

export type Fusion =
  | { readonly fusion: 'rrf'; readonly rrfK: number }
  | { readonly fusion: Exclude<(typeof FUSIONS)[number], 'rrf'>; readonly norm: Norm }

/** Fuses lists into one, as long as their union (`multiplicative`: their intersection). */
export function fuse(lists: readonly FusedList[], how: Fusion): Ranking {
  const read = lists.filter(({ weight }) => weight !== 0)
  const capacity = read.reduce((total, { ranking }) => total + ranking.rows.length, 0)
  const slots = createSlots(capacity)
  const rows = new Uint32Array(capacity)
  const scores = new Float64Array(capacity)
  const found = new Uint32Array(capacity)
  for (const { ranking, weight, floor } of read) {
    const scale = scaleOf(ranking.scores, how.fusion === 'rrf' ? 'none' : how.norm, floor)
    for (let i = 0; i < ranking.rows.length; i++) {
      const share =
        how.fusion === 'rrf'
          ? weight / (how.rrfK + i + 1)
          : contribution(onScale(ranking.scores[i], scale), weight, how.fusion)
      const slot = slots.slotOf(ranking.rows[i])
      if (found[slot]++ === 0) {
        rows[slot] = ranking.rows[i]
        scores[slot] = share
      } else if (how.fusion === 'max') scores[slot] = Math.max(scores[slot], share)
      else if (how.fusion === 'multiplicative') scores[slot] *= share
      else scores[slot] += share
    }
  }
  let n = slots.count()
  if (how.fusion === 'combmnz') for (let slot = 0; slot < n; slot++) scores[slot] *= found[slot]
  if (how.fusion === 'multiplicative') n = keepEverywhere(read.length)
  return rankPairs(rows.subarray(0, n), scores.subarray(0, n), n)

  /** Moves the rows that every list found to the front; their number. */
  function keepEverywhere(lists: number): number {
    let kept = 0
    for (let slot = 0; slot < n; slot++) {
      if (found[slot] < lists) continue
      rows[kept] = rows[slot]
      scores[kept++] = scores[slot]
    }
    return kept
  }
}

/** What a normalised score gives to the fused one. */
function contribution(score: number, weight: number, fusion: Fusion['fusion']): number {
  if (fusion === 'weighted') return weight * score
  // Two negative factors would make a good product of two bad scores.
  return fusion === 'multiplicative' ? Math.max(score, 0) : score
}
