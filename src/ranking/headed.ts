import type { Ranking } from '../types.ts'

/**
 * A ranking whose head is sorted, and the rest only if somebody reads it: of a fused list of several hundred rows an
 * experiment reads as many as its depth. `rows` and `scores` are the whole list, as of any ranking.
 *
 * A class, since nothing that a strategy from a file gives may be taken for one.
 */
export class HeadedRanking implements Ranking {
  /** The first entries, and all that tie with the last of them. */
  readonly head: Ranking
  /** All rows of the list, in no order. */
  readonly members: Uint32Array
  readonly #sort: () => Ranking
  #whole: Ranking | undefined

  /** `sort` gives the whole list; it must not throw. */
  constructor(head: Ranking, members: Uint32Array, sort: () => Ranking) {
    this.head = head
    this.members = members
    this.#sort = sort
  }

  get rows(): Uint32Array {
    return this.#all().rows
  }

  get scores(): Float64Array {
    return this.#all().scores
  }

  #all(): Ranking {
    this.#whole ??= this.#sort()
    return this.#whole
  }
}

/** At least the first `depth` entries, and all that tie with the last of these. */
export function headOf(ranking: Ranking, depth: number): Ranking {
  return ranking instanceof HeadedRanking && ranking.head.rows.length >= depth ? ranking.head : ranking
}

/** All rows, in no order. */
export function membersOf(ranking: Ranking): Uint32Array {
  return ranking instanceof HeadedRanking ? ranking.members : ranking.rows
}
