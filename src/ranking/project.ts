import type { Ranking } from '../types.ts'
import type { Mask } from './mask.ts'
import { rankScores } from './order.ts'

/**
 * Projections of scores of entities, relationships or community reports to scores of chunks:
 *
 *     max    the chunk's best item
 *     sum    sum over the chunk's items
 *     share  the best of score * share, share = the part of the item (a community's entities) that the chunk holds
 */
export const PROJECTIONS = ['max', 'sum', 'share'] as const
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
  // No sum and no best of scores can become this again: -0 + 0 is 0.
  const unmet = how === 'sum' ? -0 : Number.NEGATIVE_INFINITY
  const sums = new Float64Array(chunksOf(holders)).fill(unmet)
  for (let i = 0; i < rows.length; i++) {
    const whole = scores[i] + 0
    for (let at = offsets[rows[i]]; at < offsets[rows[i] + 1]; at++) {
      const score = shares ? whole * shares[at] : whole
      if (how === 'sum') sums[members[at]] += score
      // NaN is stored, for rankScores to throw.
      else if (!(score <= sums[members[at]])) sums[members[at]] = score
    }
  }
  const met = Uint8Array.from(sums, (sum, chunk) => (Object.is(sum, unmet) ? 0 : (mask?.kept[chunk] ?? 1)))
  return rankScores(sums, depth, { within: met })
}

const counted = new WeakMap<Uint32Array, number>()

/** One more than the highest chunk that holds anything. */
function chunksOf({ members }: ItemChunks): number {
  const end = counted.get(members) ?? members.reduce((end, chunk) => Math.max(end, chunk + 1), 0)
  counted.set(members, end)
  return end
}
