import type { Ranking } from '../types.ts'
import { head } from './order.ts'

/**
 * Rankings made from orders alone. A strategy whose original yields an order and no scores scores 1/rank; what is
 * appended from another list is strictly lower.
 */

/** The ranking that keeps the order of `rows` (unique): scores 1, 1/2, 1/3, ... */
export function rankList(rows: ArrayLike<number>): Ranking {
  return { rows: Uint32Array.from(rows), scores: Float64Array.from(rows, (_, i) => 1 / (i + 1)) }
}

/** `first`, then what only `tail` has, scored min - 1, min - 2, ... so that no rounding joins them; `depth` in all. */
export function append(first: Ranking, tail: Ranking, depth: number): Ranking {
  const kept = Math.min(first.rows.length, depth)
  if (kept === depth) return head(first, depth)
  const known = new Set(first.rows)
  const rest = tail.rows.filter((row) => !known.has(row)).slice(0, depth - kept)
  const rows = new Uint32Array(kept + rest.length)
  const scores = new Float64Array(rows.length)
  rows.set(first.rows.subarray(0, kept))
  scores.set(first.scores.subarray(0, kept))
  rows.set(rest, kept)
  const min = kept > 0 ? Math.min(0, scores[kept - 1]) : 0
  for (let i = 0; i < rest.length; i++) scores[kept + i] = min - (i + 1)
  return { rows, scores }
}
