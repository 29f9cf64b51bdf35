import type { Ranking } from '../types.ts'

/**
 * A ranking whose head is sorted, and the rest only if somebody reads it: of a fused list of several hundred rows an
 * experiment reads as many as its depth. Reading, spreading or copying it gives `rows` and `scores`, the whole
 * list, like any ranking.
 *
 * A class, so that no result of a custom strategy is mistaken for one.
 */
export class HeadedRanking implements Ranking {
  declare readonly rows: Uint32Array
  declare readonly scores: Float64Array
  readonly #head: Ranking
  readonly #members: Uint32Array
  readonly #sort: () => Ranking
  #whole: Ranking | undefined

  /**
   * `head`: the first entries, and all that tie with the last of them. `members`: all rows, in no order. `sort` gives
   * the whole list; it must not throw.
   */
  constructor(head: Ranking, members: Uint32Array, sort: () => Ranking) {
    this.#head = head
    this.#members = members
    this.#sort = sort
    // Properties of the list itself: those of the class would be lost in a copy.
    Object.defineProperty(this, 'rows', HeadedRanking.#rows)
    Object.defineProperty(this, 'scores', HeadedRanking.#scores)
  }

  static readonly #rows: PropertyDescriptor & ThisType<HeadedRanking> = {
    enumerable: true,
    get() {
      return this.#all().rows
    },
  }

  static readonly #scores: PropertyDescriptor & ThisType<HeadedRanking> = {
    enumerable: true,
    get() {
      return this.#all().scores
    },
  }

  #all(): Ranking {
    this.#whole ??= this.#sort()
    return this.#whole
  }

  static head(ranking: HeadedRanking): Ranking {
    return ranking.#head
  }

  static members(ranking: HeadedRanking): Uint32Array {
    return ranking.#members
  }
}

/** At least the first `depth` entries, and all that tie with the last of these. */
export function headOf(ranking: Ranking, depth: number): Ranking {
  if (!(ranking instanceof HeadedRanking)) return ranking
  const head = HeadedRanking.head(ranking)
  return head.rows.length >= depth ? head : ranking
}

/** All rows, in no order. */
export function unorderedRows(ranking: Ranking): Uint32Array {
  return ranking instanceof HeadedRanking ? HeadedRanking.members(ranking) : ranking.rows
}
