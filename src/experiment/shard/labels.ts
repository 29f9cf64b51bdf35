import { headOf, unorderedRows } from '../../ranking/headed.ts'
import type { Ranking } from '../../types.ts'
import { createBlocks, type Ties } from './blocks.ts'

/**
 * The judged ids of one query, as columns, and where a ranking holds them. A grid is scored from these ranks alone:
 * no list of ids is ever made for a (trial, query).
 */
export interface ShardLabels {
  readonly ids: readonly string[]
  readonly grades: Int32Array
  /** The judged unit's row, or -1 where the corpus does not hold it; a span's is the first of its units. */
  readonly units: Int32Array
  /** Where several units hold a label, as the chunks that overlap a span do; absent: each is held by its own unit. */
  readonly holders?: LabelUnits
  /** Labels with the same number are alternatives of one another; absent: each stands alone. */
  readonly groups?: Int32Array
}

/** The units of label i are `units` from `offsets[i]` up to, not including, `offsets[i + 1]`. */
export interface LabelUnits {
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
  /** Tokens of the first chunk of the uncollapsed ranking, of the first two, and so on, as far as is asked. */
  readonly firstTokens: Uint32Array
  /** Where the held labels may stand when equal scores are ordered otherwise; null where that moves none of them. */
  readonly ties: Ties | null
}

export interface Locator {
  locate(ranking: Ranking, labels: ShardLabels, depth: number): Located
  /** The chunk row that stands at each rank of the collapsed ranking, rank 1 first. */
  rowsByRank(ranking: Ranking, depth: number): Uint32Array
  /** Of all chunks of a ranking. */
  tokensOf(ranking: Ranking): number
  /** Which labels a ranking holds at all, whatever its depth: bytes of 0 and 1. */
  holds(ranking: Ranking, labels: ShardLabels): Uint8Array
}

/**
 * Finds labels in rankings of chunks. `unitOf` gives each chunk row's judged unit (its document, or itself), `tokens`
 * each chunk's cost, which is summed over the first `chunks` of a ranking. A ranking collapses to judged units by best score first; only then is it cut at `depth`. A label
 * stands at the rank of the first unit that holds it.
 */
export function createLocator(
  unitOf: Uint32Array,
  units: number,
  tokens: Uint32Array,
  chunks: number,
): Locator {
  // Scratch columns over all units: stamps say which ranking last met a unit, so nothing needs to be cleared.
  // `firstOf` is the unit's first entry or -1; entries are linked by `nextOf`, and `labelOf` is an entry's label.
  const firstOf = new Int32Array(units).fill(-1)
  const met = new Uint32Array(units)
  let nextOf = new Int32Array(64)
  let labelOf = new Int32Array(64)
  const blocks = createBlocks()
  let stamp = 0
  // Chunks of `A b` may stand before those of `A`: then chunks with equal scores meet their units in another order.
  const sameOrder = unitOf.every((unit, row) => row === 0 || unitOf[row - 1] <= unit)
  // Then no unit is met twice.
  const areUnits = unitOf.every((unit, row) => unit === row)

  function mark({ units: own, holders }: ShardLabels): void {
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

  function unmark({ units: own, holders }: ShardLabels): void {
    for (const unit of holders?.units ?? own) if (unit >= 0) firstOf[unit] = -1
  }

  /** A ranking as it is cut: chunks that are units by themselves need no more than its head. */
  function listOf(ranking: Ranking, depth: number): Ranking {
    if (areUnits) return headOf(ranking, depth)
    return sameOrder ? ranking : tiesByUnit(ranking, unitOf)
  }

  function locate(ranking: Ranking, labels: ShardLabels, depth: number): Located {
    const n = labels.units.length
    const ranks = new Int32Array(n)
    const scores = new Float64Array(n).fill(Number.NaN)
    const at = new Float64Array(n).fill(Number.POSITIVE_INFINITY)
    let seen = 0
    let totalTokens = 0
    stamp++
    mark(labels)
    blocks.start(n)
    const { rows, scores: listed } = listOf(ranking, depth)
    let last = Number.NaN
    for (let index = 0; index < rows.length; index++) {
      const score = listed[index]
      if (seen >= depth && score !== last) break
      const row = rows[index]
      const unit = areUnits ? row : unitOf[row]
      if (seen < depth) totalTokens += tokens[row]
      if (!areUnits) {
        if (met[unit] === stamp) continue
        met[unit] = stamp
      }
      seen++
      blocks.meet(score === last)
      last = score
      for (let entry = firstOf[unit]; entry >= 0; entry = nextOf[entry]) {
        const label = labelOf[entry]
        if (!blocks.note(label) || seen > depth) continue
        ranks[label] = seen
        scores[label] = score
        at[label] = totalTokens
      }
    }
    if (!sameOrder) countTokens(ranking, ranks, at)
    unmark(labels)
    const retrieved = Math.min(seen, depth)
    return { ranks, scores, tokens: at, retrieved, firstTokens: firstTokens(ranking), ties: blocks.ties(n) }
  }

  function firstTokens(ranking: Ranking): Uint32Array {
    const { rows } = headOf(ranking, chunks)
    const sums = new Uint32Array(chunks)
    for (let index = 0, sum = 0; index < chunks; index++) {
      if (index < rows.length) sum += tokens[rows[index]]
      sums[index] = sum
    }
    return sums
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

  function rowsByRank(ranking: Ranking, depth: number): Uint32Array {
    stamp++
    const list = listOf(ranking, depth)
    const rows: number[] = []
    for (let index = 0; index < list.rows.length && rows.length < depth; index++) {
      const row = list.rows[index]
      if (met[unitOf[row]] === stamp) continue
      met[unitOf[row]] = stamp
      rows.push(row)
    }
    return Uint32Array.from(rows)
  }

  function holds(ranking: Ranking, labels: ShardLabels): Uint8Array {
    const held = new Uint8Array(labels.units.length)
    mark(labels)
    for (const row of unorderedRows(ranking))
      for (let entry = firstOf[unitOf[row]]; entry >= 0; entry = nextOf[entry]) held[labelOf[entry]] = 1
    unmark(labels)
    return held
  }

  function tokensOf({ rows }: Ranking): number {
    let sum = 0
    for (const row of rows) sum += tokens[row]
    return sum
  }

  return { locate, rowsByRank, tokensOf, holds }
}

/** The ranking with equal scores in the order of their units, higher first: the order in which a collapsed list is cut. */
function tiesByUnit(ranking: Ranking, unitOf: Uint32Array): Ranking {
  const { rows, scores } = ranking
  let ordered: Uint32Array | null = null
  for (let begin = 0, end = 1; begin < rows.length; begin = end++) {
    while (end < rows.length && scores[end] === scores[begin]) end++
    if (end - begin === 1) continue
    ordered ??= Uint32Array.from(rows)
    // Sorting keeps the order of a unit's own chunks.
    ordered.set(
      [...rows.subarray(begin, end)].sort((a, b) => unitOf[b] - unitOf[a]),
      begin,
    )
  }
  return ordered ? { rows: ordered, scores } : ranking
}
