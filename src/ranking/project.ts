import type { Ranking } from '../types.ts'
import { rankPairs } from './order.ts'

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

/** The chunks that hold the items of `items` (rows are items), at most `depth`. Items are added in the ranking's order. */
export function project(items: Ranking, holders: Holders, how: Projection, depth: number): Ranking {
  const scores = new Map<number, number>()
  items.rows.forEach((item, i) => {
    const begin = holders.offsets[item]
    const end = holders.offsets[item + 1]
    for (let at = begin; at < end; at++) {
      const chunk = holders.members[at]
      const score = items.scores[i] * factor(holders, how, at, end - begin)
      const known = scores.get(chunk)
      if (known === undefined) scores.set(chunk, score)
      else scores.set(chunk, how === 'max' || how === 'share' ? Math.max(known, score) : known + score)
    }
  })
  return rankPairs([...scores.keys()], [...scores.values()], depth)
}

function factor({ shares }: Holders, how: Projection, at: number, chunks: number): number {
  if (how === 'spread') return 1 / chunks
  if (how !== 'share') return 1
  if (!shares) throw new Error('the projection `share` needs the shares of its items')
  return shares[at]
}
