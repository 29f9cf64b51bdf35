import type { Ranking } from '../types.ts'

/**
 * The judged ids of one query, as columns, and where a ranking holds them. A grid is scored from these ranks alone:
 * no list of ids is ever made for a (trial, query).
 */
export interface Labels {
  readonly ids: readonly string[]
  readonly grades: Int32Array
  /** The judged unit's row, or -1 where the corpus does not hold it; a span's is the first of its units. */
  readonly units: Int32Array
  /** Where several units hold a label, as the chunks that overlap a span do; absent: each is held by its own unit. */
  readonly holders?: Holders
  /** Labels with the same number are alternatives of one another; absent: each stands alone. */
  readonly groups?: Int32Array
}

/** The units of label i are `units` from `offsets[i]` up to, not including, `offsets[i + 1]`. */
export interface Holders {
  readonly offsets: Int32Array
  readonly units: Uint32Array
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
 * each chunk's cost. A ranking collapses to judged units by best score first; only then is it cut at `depth`. A label
 * stands at the rank of the first unit that holds it.
 */
export function createLocator(unitOf: Uint32Array, units: number, tokens: Uint32Array): Locator {
  // Scratch columns over all units: stamps say which ranking last met a unit, so nothing needs to be cleared.
  // `firstOf` is the unit's first entry or -1; entries are linked by `nextOf`, and `labelOf` is an entry's label.
  const firstOf = new Int32Array(units).fill(-1)
  const met = new Uint32Array(units)
  let nextOf = new Int32Array(64)
  let labelOf = new Int32Array(64)
  let stamp = 0
  // Chunks of `A b` may stand before those of `A`: then chunks with equal scores meet their units in another order.
  const sameOrder = unitOf.every((unit, row) => row === 0 || unitOf[row - 1] <= unit)

  function mark({ units: own, holders }: Labels): void {
    const entries = holders ? holders.units.length : own.length
    if (nextOf.length < entries) {
      nextOf = new Int32Array(2 * entries)
      labelOf = new Int32Array(2 * entries)
    }
    const add = (entry: number, unit: number, label: number) => {
      labelOf[entry] = label
      nextOf[entry] = firstOf[unit]
      firstOf[unit] = entry
    }
    for (let label = 0; label < own.length; label++) {
      if (!holders) {
        if (own[label] >= 0) add(label, own[label], label)
      } else
        for (let entry = holders.offsets[label]; entry < holders.offsets[label + 1]; entry++)
          add(entry, holders.units[entry], label)
    }
  }

  function unmark({ units: own, holders }: Labels): void {
    for (const unit of holders?.units ?? own) if (unit >= 0) firstOf[unit] = -1
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
    const list = sameOrder ? ranking : tiesByUnit(ranking, unitOf)
    for (let place = 0; place < list.rows.length && retrieved < depth; place++) {
      const row = list.rows[place]
      const unit = unitOf[row]
      totalTokens += tokens[row]
      if (met[unit] === stamp) continue
      met[unit] = stamp
      retrieved++
      for (let entry = firstOf[unit]; entry >= 0; entry = nextOf[entry]) {
        const label = labelOf[entry]
        if (ranks[label] > 0) continue
        ranks[label] = retrieved
        scores[label] = list.scores[place]
        at[label] = totalTokens
      }
    }
    if (!sameOrder) countTokens(ranking, ranks, at)
    unmark(labels)
    return { ranks, scores, tokens: at, retrieved, totalTokens }
  }

  /** Budgets read the list as it was retrieved: tokens up to each found label's first chunk in it. */
  function countTokens({ rows }: Ranking, ranks: Int32Array, at: Float64Array): void {
    at.fill(Number.POSITIVE_INFINITY)
    let total = 0
    for (const row of rows) {
      total += tokens[row]
      for (let entry = firstOf[unitOf[row]]; entry >= 0; entry = nextOf[entry]) {
        const label = labelOf[entry]
        if (ranks[label] > 0 && at[label] > total) at[label] = total
      }
    }
  }

  function holds(ranking: Ranking, labels: Labels): Uint8Array {
    const held = new Uint8Array(labels.units.length)
    mark(labels)
    for (const row of ranking.rows)
      for (let entry = firstOf[unitOf[row]]; entry >= 0; entry = nextOf[entry]) held[labelOf[entry]] = 1
    unmark(labels)
    return held
  }

  return { locate, holds }
}

/** The ranking with equal scores in the order of their units, higher first: the order in which a collapsed list is cut. */
function tiesByUnit({ rows, scores }: Ranking, unitOf: Uint32Array): Ranking {
  const places = [...rows.keys()].sort(
    (a, b) => scores[b] - scores[a] || unitOf[rows[b]] - unitOf[rows[a]] || a - b,
  )
  return {
    rows: Uint32Array.from(places, (place) => rows[place]),
    scores: Float64Array.from(places, (place) => scores[place]),
  }
}
