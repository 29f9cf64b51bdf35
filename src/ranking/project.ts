import type { Ranking } from '../types.ts'
import { rankPairs } from './order.ts'
import { createSlots } from './slots.ts'

/**
 * How scores of entities, relationships or reports become scores of chunks, so that every strategy returns chunks:
 *
 *     max     the chunk's best item
 *     sum     sum over the chunk's items
 *     spread  the same, each score divided by the number of chunks that hold the item
 *     share   the best of score * share, share = the part of the item (a community's entities) that the chunk holds
 *
 * `constant`, the seed's one list of items and chunks at fixed scores, is an order and no arithmetic: see rank-list.ts.
 */
export const PROJECTIONS = ['max', 'sum', 'spread', 'share'] as const
export type Projection = (typeof PROJECTIONS)[number]

/** Which chunks hold each item: those of item i are `members[offsets[i]]` to `members[offsets[i + 1] - 1]`. */
export interface Holders {
  readonly offsets: Uint32Array
  readonly members: Uint32Array
  /** Beside `members`: the part of the item that stands in the chunk, 0 to 1; `share` needs it. */
  readonly shares?: Float64Array
}

/**
 * The chunks that hold the items of `items` (rows are items, in any order), at most `depth`. Items are added in their
 * order.
 */
export function project(
  { rows, scores }: Pick<Ranking, 'rows' | 'scores'>,
  holders: Holders,
  how: Projection,
  depth: number,
): Ranking {
  const { offsets, members } = holders
  const shares = how === 'share' ? holders.shares : undefined
  if (how === 'share' && !shares) throw new Error('the projection `share` needs the shares of its items')
  let visits = 0
  let end = 0
  for (const item of rows) {
    visits += offsets[item + 1] - offsets[item]
    for (let at = offsets[item]; at < offsets[item + 1]; at++) if (members[at] >= end) end = members[at] + 1
  }
  // Where many chunks are met, each has a place of its own.
  const few = visits < end / 16 ? createSlots(visits) : undefined
  const chunks = new Uint32Array(few ? visits : end)
  const sums = new Float64Array(chunks.length)
  const met = new Uint8Array(chunks.length)
  const best = how === 'max' || how === 'share'
  for (let i = 0; i < rows.length; i++) {
    const begin = offsets[rows[i]]
    const end = offsets[rows[i] + 1]
    const whole = how === 'spread' ? scores[i] * (1 / (end - begin)) : scores[i]
    for (let at = begin; at < end; at++) {
      const score = shares ? whole * shares[at] : whole
      const chunk = members[at]
      const slot = few ? few.slotOf(chunk) : chunk
      if (met[slot] === 0) {
        met[slot] = 1
        chunks[slot] = chunk
        sums[slot] = score
      } else if (!best) sums[slot] += score
      else if (score > sums[slot]) sums[slot] = score
    }
  }
  let count = 0
  for (let slot = 0; slot < chunks.length; slot++) {
    if (met[slot] === 0) continue
    chunks[count] = chunks[slot]
    sums[count++] = sums[slot]
  }
  return rankPairs(chunks.subarray(0, count), sums.subarray(0, count), depth)
}
