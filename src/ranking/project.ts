import type { Ranking } from '../types.ts'
import type { Mask } from './mask.ts'
import { rankPairs, rankScores } from './order.ts'

/**
 * Projections of scores of entities, relationships or community reports to scores of chunks:
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

/** Chunks by item: those of item i are `members[offsets[i]]` to `members[offsets[i + 1] - 1]`. */
export interface ItemChunks {
  readonly offsets: Uint32Array
  readonly members: Uint32Array
  /** For each of `members`, the share of the item that the chunk contains, 0 to 1; `share` needs it. */
  readonly shares?: Float64Array
}

/**
 * The chunks that hold the items of `items` (rows are items, in any order), at most `depth` of those that `mask` keeps.
 * Items are added in their order. Scores are finite.
 */
export function project(
  { rows, scores }: Pick<Ranking, 'rows' | 'scores'>,
  holders: ItemChunks,
  how: Projection,
  depth: number,
  mask?: Mask,
): Ranking {
  const { offsets, members } = holders
  const shares = how === 'share' ? holders.shares : undefined
  if (how === 'share' && !shares) throw new Error('the projection `share` needs the shares of its items')
  const end = chunksOf(holders)
  // For many chunks, each has its own entry.
  if (rows.length < end / 16) {
    let visits = 0
    for (const item of rows) visits += offsets[item + 1] - offsets[item]
    if (visits < end / 16) return projectFew({ rows, scores }, holders, how, depth, mask)
  }
  const best = how === 'max' || how === 'share'
  // No sum and no best of scores can become this again: -0 + 0 is 0.
  const unmet = best ? Number.NEGATIVE_INFINITY : -0
  const sums = new Float64Array(end).fill(unmet)
  for (let i = 0; i < rows.length; i++) {
    const first = offsets[rows[i]]
    const last = offsets[rows[i] + 1]
    const whole = (how === 'spread' ? scores[i] * (1 / (last - first)) : scores[i]) + 0
    if (best)
      for (let at = first; at < last; at++) {
        const score = shares ? whole * shares[at] : whole
        // NaN is stored, for rankScores to throw.
        if (!(score <= sums[members[at]])) sums[members[at]] = score
      }
    else for (let at = first; at < last; at++) sums[members[at]] += whole
  }
  const met = new Uint8Array(end)
  for (let chunk = 0; chunk < end; chunk++)
    met[chunk] = Object.is(sums[chunk], unmet) ? 0 : (mask?.kept[chunk] ?? 1)
  return rankScores(sums, depth, { within: met })
}

/** Projects to few chunks: collects them in a map instead of visiting all chunks. */
function projectFew(
  { rows, scores }: Pick<Ranking, 'rows' | 'scores'>,
  { offsets, members, shares }: ItemChunks,
  how: Projection,
  depth: number,
  mask: Mask | undefined,
): Ranking {
  const sums = new Map<number, number>()
  const best = how === 'max' || how === 'share'
  const start = best ? Number.NEGATIVE_INFINITY : 0
  for (let i = 0; i < rows.length; i++) {
    const begin = offsets[rows[i]]
    const end = offsets[rows[i] + 1]
    const whole = how === 'spread' ? scores[i] * (1 / (end - begin)) : scores[i]
    for (let at = begin; at < end; at++) {
      if (mask?.kept[members[at]] === 0) continue
      const score = how === 'share' && shares ? whole * shares[at] : whole
      const sum = sums.get(members[at]) ?? start
      sums.set(members[at], best ? Math.max(sum, score) : sum + score)
    }
  }
  return rankPairs([...sums.keys()], [...sums.values()], depth)
}

const counted = new WeakMap<Uint32Array, number>()

/** One more than the highest chunk that holds anything. */
function chunksOf({ members }: ItemChunks): number {
  let end = counted.get(members)
  if (end === undefined) {
    end = 0
    for (const chunk of members) if (chunk >= end) end = chunk + 1
    counted.set(members, end)
  }
  return end
}
