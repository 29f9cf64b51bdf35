import type { Ranking } from '../types.ts'
import { type Norm, normalize } from './normalize.ts'
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
  const slots = new Map<number, number>()
  const capacity = read.reduce((total, { ranking }) => total + ranking.rows.length, 0)
  const rows = new Uint32Array(capacity)
  const scores = new Float64Array(capacity)
  const found = new Uint32Array(capacity)
  for (const list of read) {
    const shares = contributions(list, how)
    list.ranking.rows.forEach((row, i) => {
      let slot = slots.get(row)
      if (slot === undefined) {
        slot = slots.size
        slots.set(row, slot)
        rows[slot] = row
        scores[slot] = shares[i]
      } else if (how.fusion === 'max') scores[slot] = Math.max(scores[slot], shares[i])
      else if (how.fusion === 'multiplicative') scores[slot] *= shares[i]
      else scores[slot] += shares[i]
      found[slot]++
    })
  }
  if (how.fusion === 'combmnz') for (let slot = 0; slot < slots.size; slot++) scores[slot] *= found[slot]
  if (how.fusion !== 'multiplicative')
    return rankPairs(rows.subarray(0, slots.size), scores.subarray(0, slots.size), slots.size)
  const everywhere = [...slots.values()].filter((slot) => found[slot] === read.length)
  return rankPairs(
    everywhere.map((slot) => rows[slot]),
    everywhere.map((slot) => scores[slot]),
    everywhere.length,
  )
}

/** What each entry of a list gives to the fused score, in the list's order. */
function contributions({ ranking, weight, floor }: FusedList, how: Fusion): Float64Array {
  if (how.fusion === 'rrf') return ranking.scores.map((_, i) => weight / (how.rrfK + i + 1))
  const scores = normalize(ranking, how.norm, floor)
  if (how.fusion === 'weighted') return scores.map((score) => weight * score)
  // Two negative factors would make a good product of two bad scores.
  if (how.fusion === 'multiplicative') return scores.map((score) => Math.max(score, 0))
  return scores
}
