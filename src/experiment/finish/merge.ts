import type { Failure } from '../../retrieve/run-step.ts'
import type { Progress } from '../../types.ts'
import { createFirstRanks } from '../shard/first-ranks.ts'
import type { ShardLabels } from '../shard/labels.ts'
import {
  type Blobs,
  type Part,
  type PartColumns,
  type PartRankings,
  readPart,
  readRankings,
} from '../shard/parts.ts'
import type { Session } from '../shard/session.ts'

/**
 * All parts of an experiment as columns over (trial, query), trial after trial, queries by id; and over (trial, label), labels
 * query after query. Independent of how the experiment was cut into shards. Cells that a race left out are NaN, 0 or `NOT_RUN`.
 */
export interface Merged {
  readonly trials: number
  readonly queries: number
  /** Number of queries that each trial was run on. */
  readonly ran: Int32Array
  /** Position of each query in the running order; a trial was run on the queries with a position below `ran`. */
  readonly turns: Int32Array
  /** Values by measure; NaN for queries that no mean counts. */
  readonly values: readonly Float64Array[]
  /** Lowest and highest value of the primary measure over all orders of equal scores; NaN as in `values`. */
  readonly worst: Float64Array
  readonly best: Float64Array
  readonly retrieved: Int32Array
  /** Tokens of the chunks in the context, and of the evidence. */
  readonly tokens: Int32Array
  readonly evidenceTokens: Int32Array
  /** Counters summed over queries, by trial; `linked` counts the queries with `links` above 0. */
  readonly counters: readonly Readonly<Record<string, number>>[]
  /** Arm chosen for each query, by router trial. */
  readonly arms: ReadonlyMap<number, readonly (string | null)[]>
  /** Number of queries that fell back, by trial and reason. */
  readonly fallbacks: readonly ReadonlyMap<string, number>[]
  readonly failures: readonly (Failure & { readonly trial: number; readonly query: number })[]
  /** First label of each query, plus the total; length queries + 1. */
  readonly labelOffsets: Int32Array
  readonly ranks: Int32Array
  readonly scores: Float64Array
  readonly stages: Uint8Array
  readonly channels: Uint8Array
  /** Steps computed in the run that wrote the parts, by name. */
  readonly computed: Readonly<Record<string, number>>
}

/** Stage code of a label that a trial was not run on. */
export const NOT_RUN = 255

/** Shape of the experiment that the parts belong to. */
interface Run {
  readonly measures: readonly string[]
  /** Number of trials, every seed of a row included. */
  readonly trials: number
  /** Labels by query. */
  readonly labels: readonly ShardLabels[]
  /** Queries in running order. */
  readonly order: Int32Array
}

export async function mergeParts(
  parts: readonly Part[],
  { measures, trials, labels, order }: Run,
  progress: Progress,
): Promise<Merged> {
  const queries = labels.length
  const labelOffsets = new Int32Array(queries + 1)
  for (let query = 0; query < queries; query++)
    labelOffsets[query + 1] = labelOffsets[query] + labels[query].units.length
  const cells = trials * queries
  const labelCells = trials * labelOffsets[queries]
  const counters: Record<string, number>[] = Array.from({ length: trials }, () => ({}))
  const failures: (Failure & { trial: number; query: number })[] = []
  const computed: Record<string, number> = {}
  const arms = new Map<number, (string | null)[]>()
  const fallbacks = Array.from({ length: trials }, () => new Map<string, number>())
  // Shared memory: the thread that writes some of these columns needs no copy.
  const doubles = (length: number) => new Float64Array(new SharedArrayBuffer(8 * length))
  const integers = (length: number) => new Int32Array(new SharedArrayBuffer(4 * length))
  const bytes = (length: number) => new Uint8Array(new SharedArrayBuffer(length))
  const merged = {
    values: measures.map(() => doubles(cells)),
    worst: doubles(cells),
    best: doubles(cells),
    retrieved: integers(cells),
    tokens: integers(cells),
    evidenceTokens: integers(cells),
    ranks: integers(labelCells),
    scores: doubles(labelCells),
    stages: bytes(labelCells),
    channels: bytes(labelCells),
  }
  const ran = new Int32Array(trials)
  const turns = new Int32Array(queries)
  order.forEach((query, turn) => {
    turns[query] = turn
  })
  // Queries on which a trial was not run do not count.
  for (const column of [...merged.values, merged.worst, merged.best, merged.scores]) column.fill(Number.NaN)
  merged.stages.fill(NOT_RUN)

  for (const [index, one] of parts.entries()) {
    progress('parts merged', index, parts.length)
    const part = await readPart(one, measures)
    const asked = order.subarray(part.begin, part.end)
    const cells = piecesOf(asked, (query) => [query, query + 1])
    const labelled = piecesOf(asked, (query) => [labelOffsets[query], labelOffsets[query + 1]])
    part.values.forEach((column, measure) => {
      insert(merged.values[measure], column, part, trials, cells)
    })
    for (const column of ['worst', 'best', 'retrieved', 'tokens', 'evidenceTokens'] as const)
      insert(merged[column], part[column], part, trials, cells)
    for (const column of ['ranks', 'scores', 'stages', 'channels'] as const)
      insert(merged[column], part[column], part, trials, labelled)
    for (const [row, trial] of part.trials.entries()) {
      ran[trial] += asked.length
      part.counters[row]?.forEach((counts) => {
        if (!counts) return
        addCounts(counters[trial], counts)
        // A mean of links does not show how many queries linked nothing, so `linked` counts them.
        if (counts.links !== undefined) addCounts(counters[trial], { linked: counts.links > 0 ? 1 : 0 })
      })
      part.arms[row]?.forEach((arm, index) => {
        const chosen = arms.get(trial) ?? new Array<string | null>(queries).fill(null)
        chosen[asked[index]] = arm
        arms.set(trial, chosen)
      })
      for (const reason of part.fallbacks[row]?.flatMap((reasons) => reasons ?? []) ?? [])
        fallbacks[trial].set(reason, (fallbacks[trial].get(reason) ?? 0) + 1)
      part.failures[row]?.forEach((failure, index) => {
        if (failure) failures.push({ trial, query: asked[index], ...failure })
      })
    }
    addCounts(computed, part.computed)
  }
  progress('parts merged', parts.length, parts.length)
  failures.sort((a, b) => a.trial - b.trial || a.query - b.query)
  return {
    trials,
    queries,
    ran,
    turns,
    ...merged,
    counters,
    arms,
    fallbacks,
    failures,
    labelOffsets,
    computed,
  }
}

/** Contiguous range to copy: `length` numbers, from index `from` in the part to index `to` in a trial's column. */
interface Piece {
  readonly from: number
  readonly to: number
  length: number
}

/** Ranges of a part's queries; neighbouring ranges that are also contiguous in the result become one. */
function piecesOf(asked: Int32Array, rangeOf: (query: number) => readonly [number, number]): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const query of asked) {
    const [begin, end] = rangeOf(query)
    const last = pieces[pieces.length - 1]
    if (last && last.to + last.length === begin) last.length += end - begin
    else pieces.push({ from, to: begin, length: end - begin })
    from += end - begin
  }
  return pieces
}

/** Copies a part's numbers for some queries (or labels) of each trial into the merged column. */
function insert(
  all: Float64Array | Int32Array | Uint8Array,
  blobs: Blobs,
  { trials: ran }: Pick<PartColumns, 'trials'>,
  trials: number,
  pieces: readonly Piece[],
): void {
  const bytes = new Uint8Array(all.buffer)
  const stride = bytes.length / trials
  const size = all.BYTES_PER_ELEMENT
  for (const [row, trial] of ran.entries())
    for (const { from, to, length } of pieces)
      bytes.set(blobs[row].subarray(from * size, (from + length) * size), trial * stride + to * size)
}

function addCounts(into: Record<string, number>, from: Readonly<Record<string, number>>): void {
  for (const [name, amount] of Object.entries(from)) into[name] = (into[name] ?? 0) + amount
}

/**
 * Rankings of `trials` from the parts, by query in id order. `parts` are in running order; each trial was run on every query.
 */
export async function rankingsOf(
  { order, plan }: Session,
  trials: readonly number[],
  parts: readonly Part[],
  { labelOffsets, queries }: Merged,
): Promise<PartRankings[]> {
  const kept = trials.map(() => ({
    first: createFirstRanks(queries, plan.experiment.depth),
    labelTokens: new Int32Array(labelOffsets[queries]),
    counters: new Array<NonNullable<PartRankings['counters']>[number]>(queries).fill(null),
    notes: new Array<NonNullable<PartRankings['notes']>[number]>(queries).fill(null),
    marks: new Array<NonNullable<PartRankings['marks']>[number]>(queries).fill(null),
    breakdowns: new Array<NonNullable<PartRankings['breakdowns']>[number]>(queries).fill(null),
    walks: new Array<NonNullable<PartRankings['walks']>[number]>(queries).fill(null),
  }))
  let turn = 0
  for (const part of parts) {
    const found = await readRankings(part, trials)
    let label = 0
    for (let at = 0; at < (found[0]?.first.counts.length ?? 0); at++) {
      const query = order[turn++]
      const labels = labelOffsets[query + 1] - labelOffsets[query]
      for (const [index, { first, labelTokens, ...said }] of found.entries()) {
        const { ranks } = first
        const own = kept[index]
        own.first.counts[query] = first.counts[at]
        own.first.rows.set(first.rows.subarray(at * ranks, (at + 1) * ranks), query * ranks)
        own.first.scores.set(first.scores.subarray(at * ranks, (at + 1) * ranks), query * ranks)
        own.labelTokens.set(labelTokens.subarray(label, label + labels), labelOffsets[query])
        own.counters[query] = said.counters?.[at] ?? null
        own.notes[query] = said.notes?.[at] ?? null
        own.marks[query] = said.marks?.[at] ?? null
        own.breakdowns[query] = said.breakdowns?.[at] ?? null
        own.walks[query] = said.walks?.[at] ?? null
      }
      label += labels
    }
  }
  return kept
}
