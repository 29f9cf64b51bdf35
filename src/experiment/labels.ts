import type { Ranking } from '../types.ts'

/**
 * The judged ids of one query, as columns, and where a ranking holds them. A grid is scored from these ranks alone:
 * no list of ids is ever made for a (trial, query).
 */
export interface Labels {
  readonly ids: readonly string[]
  readonly grades: Int32Array
  /** The judged unit's row, or -1 where the corpus does not hold it. */
  readonly units: Int32Array
  /** Labels with the same number are alternatives of one another; absent: each stands alone. */
  readonly groups?: Int32Array
}

/** Where one ranking holds a query's labels; all arrays are as long as the labels. */
export interface Located {
  /** From 1 in the ranking collapsed to judged units; 0 where the ranking does not hold the label. */
  readonly ranks: Int32Array
  /** NaN where not held. */
  readonly scores: Float64Array
  /** Tokens of the chunks up to and including the first that belongs to the label; Infinity where not held. */
  readonly tokens: Float64Array
  /** Judged units in the collapsed ranking. */
  readonly retrieved: number
  /** Tokens of all chunks of the ranking. */
  readonly totalTokens: number
}

export interface Locator {
  locate(ranking: Ranking, labels: Labels, depth: number): Located
  /** Which labels a ranking holds at all, whatever its depth: bytes of 0 and 1. */
  holds(ranking: Ranking, labels: Labels): Uint8Array
}

/**
 * Finds labels in rankings of chunks. `unitOf` gives each chunk row's judged unit (its document, or itself), `tokens`
 * each chunk's cost. A ranking collapses to judged units by best score first; only then is it cut at `depth`.
 */
export function createLocator(unitOf: Uint32Array, units: number, tokens: Uint32Array): Locator {
  // Scratch columns over all units: stamps say which ranking last met a unit, so nothing needs to be cleared.
  const labelOf = new Int32Array(units).fill(-1)
  const met = new Uint32Array(units)
  let stamp = 0

  function mark(labels: Labels) {
    for (let label = 0; label < labels.units.length; label++)
      if (labels.units[label] >= 0) labelOf[labels.units[label]] = label
  }
  function unmark(labels: Labels) {
    for (const unit of labels.units) if (unit >= 0) labelOf[unit] = -1
  }

  function locate(ranking: Ranking, labels: Labels, depth: number): Located {
    const n = labels.units.length
    const ranks = new Int32Array(n)
    const scores = new Float64Array(n).fill(Number.NaN)
    const at = new Float64Array(n).fill(Number.POSITIVE_INFINITY)
    let retrieved = 0
    let totalTokens = 0
    stamp++
    mark(labels)
    for (let place = 0; place < ranking.rows.length && retrieved < depth; place++) {
      const row = ranking.rows[place]
      const unit = unitOf[row]
      totalTokens += tokens[row]
      if (met[unit] === stamp) continue
      met[unit] = stamp
      retrieved++
      const label = labelOf[unit]
      if (label < 0) continue
      ranks[label] = retrieved
      scores[label] = ranking.scores[place]
      at[label] = totalTokens
    }
    unmark(labels)
    return { ranks, scores, tokens: at, retrieved, totalTokens }
  }

  function holds(ranking: Ranking, labels: Labels): Uint8Array {
    const held = new Uint8Array(labels.units.length)
    mark(labels)
    for (const row of ranking.rows) {
      const label = labelOf[unitOf[row]]
      if (label >= 0) held[label] = 1
    }
    unmark(labels)
    return held
  }

  return { locate, holds }
}
