import type { Reads } from '../../metrics/define.ts'
import type { TiedRanking } from '../../metrics/variants.ts'
import type { Ranking } from '../../types.ts'
import { locateReads } from './reads.ts'

export interface ShardLabels {
  readonly ids: readonly string[]
  readonly grades: Int32Array
  /** Row of the judged unit, or -1 outside the corpus; for a span, its first unit. */
  readonly units: Int32Array
  /** Units of each label if several contain it, as chunks that overlap a span. */
  readonly holders?: LabelUnits
  /** Labels with the same number are alternatives. */
  readonly groups?: Int32Array
}

/** Those of label i are from `offsets[i]` up to `offsets[i + 1]`. */
interface LabelUnits {
  readonly offsets: Int32Array
  readonly units: Uint32Array
}

export interface Located {
  /** From 1 in the collapsed ranking; 0 if not found. */
  readonly ranks: Int32Array
  /** NaN if not found. */
  readonly scores: Float64Array
  readonly tokens: Float64Array
  /** Judged units in the collapsed ranking. */
  readonly retrieved: number
  readonly firstTokens: Uint32Array
  /** Null if no label can move. */
  readonly ties: Ties | null
  /** First readings of the labels in a trajectory; absent for one search. */
  readonly reads: Reads | undefined
}

export type Locator = ReturnType<typeof createLocator>

/**
 * Finds labels in rankings of chunks. `unitOf`: judged unit of each chunk row; `tokens`: its cost. A ranking collapses
 * to units by best score before it is cut at `depth`.
 */
export function createLocator(unitOf: Uint32Array, units: number, tokens: Uint32Array, chunks: number) {
  const entries = createEntries(units)
  const { firstOf } = entries
  // Ranking that last met each unit; nothing is cleared between rankings.
  const met = new Uint32Array(units)
  const blocks = createBlocks()
  let stamp = 0
  // Chunks of document `A b` may come before those of `A`; equal scores then meet units in another order.
  const sameOrder = unitOf.every((unit, row) => row === 0 || unitOf[row - 1] <= unit)
  const areUnits = unitOf.every((unit, row) => unit === row)

  function listOf(ranking: Ranking): Ranking {
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
    entries.mark(labels)
    blocks.start(n)
    const { rows, scores: listed } = listOf(ranking)
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
      for (let entry = firstOf[unit]; entry >= 0; entry = entries.nextOf[entry]) {
        const label = entries.labelOf[entry]
        if (!blocks.note(label) || seen > depth) continue
        ranks[label] = seen
        scores[label] = score
        at[label] = totalTokens
      }
    }
    if (!sameOrder) countTokens(ranking, ranks, at)
    entries.unmark(labels)
    const retrieved = Math.min(seen, depth)
    return {
      ranks,
      scores,
      tokens: at,
      retrieved,
      firstTokens: firstSums(tokens, ranking.rows, chunks),
      ties: blocks.ties(n),
      reads: ranking.calls && locateReads(ranking.calls, labels, unitOf, tokens),
    }
  }

  function countTokens({ rows }: Ranking, ranks: Int32Array, at: Float64Array): void {
    at.fill(Number.POSITIVE_INFINITY)
    let total = 0
    for (const row of rows) {
      total += tokens[row]
      for (let entry = firstOf[unitOf[row]]; entry >= 0; entry = entries.nextOf[entry]) {
        const label = entries.labelOf[entry]
        if (ranks[label] > 0 && at[label] > total) at[label] = total
      }
    }
  }

  /** 1 for each label that the ranking contains at any depth. */
  function holds(rows: Iterable<number>, labels: ShardLabels): Uint8Array {
    const marks = new Uint8Array(labels.units.length)
    entries.mark(labels)
    for (const row of rows)
      for (let entry = firstOf[unitOf[row]]; entry >= 0; entry = entries.nextOf[entry])
        marks[entries.labelOf[entry]] = 1
    entries.unmark(labels)
    return marks
  }

  return {
    locate,
    /** Chunk row at each collapsed rank. */
    rowsByRank: (ranking: Ranking, depth: number) => firstRows(listOf(ranking).rows, unitOf, depth),
    tokensOf: ({ rows }: Ranking) => sumOf(tokens, rows),
    holds,
    /** True if the rows contain relevant gold. */
    holdsGold: (rows: Iterable<number>, labels: ShardLabels) =>
      holds(rows, labels).some((isHeld, label) => isHeld === 1 && labels.grades[label] >= 1),
  }
}

/** Labels by unit, as linked lists in reused columns. */
interface Entries {
  readonly firstOf: Int32Array
  nextOf: Int32Array
  labelOf: Int32Array
  mark(labels: ShardLabels): void
  unmark(labels: ShardLabels): void
}

function createEntries(count: number): Entries {
  const firstOf = new Int32Array(count).fill(-1)
  const add = (entry: number, unit: number, label: number) => {
    entries.labelOf[entry] = label
    entries.nextOf[entry] = firstOf[unit]
    firstOf[unit] = entry
  }
  const entries: Entries = {
    firstOf,
    nextOf: new Int32Array(64),
    labelOf: new Int32Array(64),
    mark({ units, holders }) {
      const needed = holders ? holders.units.length : units.length
      if (entries.nextOf.length < needed) {
        entries.nextOf = new Int32Array(2 * needed)
        entries.labelOf = new Int32Array(2 * needed)
      }
      for (let label = 0; label < units.length; label++) {
        if (!holders) {
          if (units[label] >= 0) add(label, units[label], label)
        } else
          for (let entry = holders.offsets[label]; entry < holders.offsets[label + 1]; entry++)
            add(entry, holders.units[entry], label)
      }
    },
    unmark({ units, holders }) {
      for (const unit of holders?.units ?? units) if (unit >= 0) firstOf[unit] = -1
    },
  }
  return entries
}

function firstRows(rows: Uint32Array, unitOf: Uint32Array, depth: number): Uint32Array {
  const seen = new Set<number>()
  const first: number[] = []
  for (let index = 0; index < rows.length && first.length < depth; index++) {
    const unit = unitOf[rows[index]]
    if (seen.has(unit)) continue
    seen.add(unit)
    first.push(rows[index])
  }
  return Uint32Array.from(first)
}

function sumOf(tokens: Uint32Array, rows: Uint32Array): number {
  let sum = 0
  for (const row of rows) sum += tokens[row]
  return sum
}

function firstSums(tokens: Uint32Array, rows: Uint32Array, count: number): Uint32Array {
  const sums = new Uint32Array(count)
  for (let index = 0, sum = 0; index < count; index++) {
    if (index < rows.length) sum += tokens[rows[index]]
    sums[index] = sum
  }
  return sums
}

/** Ranking with equal scores in the order of their units, higher first, as a collapsed list is cut. */
function tiesByUnit(ranking: Ranking, unitOf: Uint32Array): Ranking {
  const { rows, scores } = ranking
  let ordered: Uint32Array | null = null
  for (let begin = 0, end = 1; begin < rows.length; begin = end++) {
    while (end < rows.length && scores[end] === scores[begin]) end++
    if (end - begin === 1) continue
    ordered ??= Uint32Array.from(rows)
    ordered.set(
      [...rows.subarray(begin, end)].sort((a, b) => unitOf[b] - unitOf[a]),
      begin,
    )
  }
  return ordered ? { rows: ordered, scores } : ranking
}

/**
 * Tied positions by label. A block of equal scores is followed beyond `depth`: another order would have put other units
 * within it.
 */
export type Ties = Pick<TiedRanking, 'ranks' | 'firstTied' | 'lastTied'>

/**
 * Follows a collapsed ranking, and records the block of equal scores of each label. Reuses its columns, so that rankings
 * without ties cost only comparisons.
 */
function createBlocks() {
  let ranks = new Int32Array(64)
  let first = new Int32Array(64)
  let last = new Int32Array(64)
  let open = new Int32Array(64)
  let waiting = 0
  let units = 0
  let begin = 0
  let tied = false

  function close(): void {
    if (waiting > 0 && units > begin) tied = true
    for (let index = 0; index < waiting; index++) last[open[index]] = units
    waiting = 0
  }

  return {
    start(labels: number): void {
      if (ranks.length < labels)
        [ranks, first, last, open] = Array.from({ length: 4 }, () => new Int32Array(2 * labels))
      ranks.fill(0, 0, labels)
      waiting = units = begin = 0
      tied = false
    },
    /** Moves to the next unit. `continues`: its score equals the previous one. */
    meet(continues: boolean): void {
      if (!continues) {
        close()
        begin = units + 1
      }
      units++
    },
    /** False if an earlier unit had the label. */
    note(label: number): boolean {
      if (ranks[label] > 0) return false
      ranks[label] = units
      first[label] = begin
      open[waiting++] = label
      return true
    },
    /** Null if no label shares its score. */
    ties(labels: number): Ties | null {
      close()
      if (!tied) return null
      const rankedOnly = (column: Int32Array) => column.map((value, label) => (ranks[label] > 0 ? value : 0))
      return {
        ranks: ranks.slice(0, labels),
        firstTied: rankedOnly(first.subarray(0, labels)),
        lastTied: rankedOnly(last.subarray(0, labels)),
      }
    },
  }
}
