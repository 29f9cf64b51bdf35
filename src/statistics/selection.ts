import { type Flips, flippedSums } from './flips.ts'

/**
 * Null distribution of comparisons whose rows were chosen. For a flipped row t against a row u, over differences D,
 *
 *     S*(t, u) = sum of e_q D_q / sqrt(sum of D_q^2)
 *
 * which grows with Student's t of the flipped differences (both order draws alike). A comparison of a, chosen out of A,
 * with b, chosen out of B, reaches in a draw
 *
 *     M* = max( max over t in A of S*(t, b), max over u in B of S*(u, a) )
 *
 * each side picks again, in its own favour, by the studentised difference: no pick by another rule reaches more (Romano and
 * Wolf, JASA 100, 2005, choose so). By the raw mean, one dreadful row of huge variance would win the picks and hide
 * the choice among the others. A side that chose nothing has one candidate; with two of these M* is |S*|.
 */
interface Contest {
  /** Indexes of rows. */
  readonly a: number
  readonly b: number
  /** Rows that a and b were chosen from, including a and b. Equal lists should be one list: work on it is shared. */
  readonly as: readonly number[]
  readonly bs: readonly number[]
}

/** Gives M* of every contest in the draws from `begin` to `end`; what it returned is written over by the next call. */
export type Reach = (begin: number, end: number) => readonly Float64Array[]

/** Draws that are summed at a time. */
export const BLOCK = 1024

export function reachOfChosen(
  rows: readonly Float64Array[],
  contests: readonly Contest[],
  flips: Flips,
): Reach {
  if (contests.length === 0) return () => []
  // Rows less one of them: differences are the same, and sums that cancel are smaller.
  const origin = rows[contests[0].b]
  const centred = rows.map((row) => row.map((value, query) => value - origin[query]))
  const sums = centred.map(() => new Float64Array(BLOCK))
  const sides = new Map<number, Map<readonly number[], Side>>()
  const sideOf = (candidates: readonly number[], against: number) => {
    const known = sides.get(against) ?? new Map<readonly number[], Side>()
    sides.set(against, known)
    const side = known.get(candidates) ?? {
      candidates,
      against,
      scales: candidates.map((row) => selectionScale(centred[row], centred[against])),
      reached: new Float64Array(BLOCK),
    }
    known.set(candidates, side)
    return side
  }
  const pairs = contests.map(({ a, b, as, bs }) => [sideOf(as, b), sideOf(bs, a)] as const)
  const used = [
    ...new Set(contests.flatMap(({ a, b }) => [a, b])),
    ...new Set(contests.map(({ as }) => as)),
    ...new Set(contests.map(({ bs }) => bs)),
  ].flat()
  const needed = [...new Set(used)]
  const reached = contests.map(() => new Float64Array(BLOCK))
  return (begin, end) => {
    for (const row of needed) flippedSums(centred[row], flips, begin, end, sums[row])
    for (const known of sides.values()) for (const side of known.values()) reach(side, sums, end - begin)
    for (const [at, [one, other]] of pairs.entries())
      for (let draw = 0; draw < end - begin; draw++)
        reached[at][draw] = Math.max(one.reached[draw], other.reached[draw])
    return reached
  }
}

interface Side {
  readonly candidates: readonly number[]
  readonly against: number
  readonly scales: readonly number[]
  readonly reached: Float64Array
}

function reach(
  { candidates, against, scales, reached }: Side,
  sums: readonly Float64Array[],
  draws: number,
): void {
  reached.fill(0)
  const base = sums[against]
  for (const [at, candidate] of candidates.entries()) {
    const candidateSums = sums[candidate]
    const scale = scales[at]
    for (let draw = 0; draw < draws; draw++) {
      const value = (candidateSums[draw] - base[draw]) * scale
      if (value > reached[draw]) reached[draw] = value
    }
  }
}

/** One over the root of the sum of squares of the differences; 0 where there are none. */
export function selectionScale(row: Float64Array, other: Float64Array): number {
  let squares = 0
  for (let query = 0; query < row.length; query++) squares += (row[query] - other[query]) ** 2
  return squares > 0 ? 1 / Math.sqrt(squares) : 0
}
