import type { Failure } from '../../retrieve/run-step.ts'
import type { Progress } from '../../types.ts'
import type { ShardLabels } from '../shard/labels.ts'
import { type Blobs, type Part, type PartColumns, readPart } from '../shard/parts.ts'

/**
 * All parts of a run as columns over (trial, query), trial after trial, queries by id; and over (trial, label), labels
 * query after query. Whatever cut the run into shards, these are the same. What a race left out is NaN, 0 or `NOT_RUN`.
 */
export interface Merged {
  readonly trials: number
  readonly queries: number
  /** By trial: on how many queries it was run. */
  readonly ran: Int32Array
  /** By query: its place in the running order; a trial was run on those whose place is below `ran`. */
  readonly turns: Int32Array
  /** By measure; NaN for queries that no mean counts. */
  readonly values: readonly Float64Array[]
  /** The primary measure's lowest and highest value over the orders of equal scores; NaN as above. */
  readonly worst: Float64Array
  readonly best: Float64Array
  readonly retrieved: Int32Array
  /** Of the chunks that are sent, and of the evidence beside them. */
  readonly tokens: Int32Array
  readonly evidenceTokens: Int32Array
  /** Counters summed over queries, by trial; `linked` counts the queries with `links` above 0. */
  readonly counters: readonly Readonly<Record<string, number>>[]
  /** By router trial: the arm chosen for each query. */
  readonly arms: ReadonlyMap<number, readonly (string | null)[]>
  /** By trial: how many queries fell back for each reason. */
  readonly fallbacks: readonly ReadonlyMap<string, number>[]
  readonly failures: readonly (Failure & { readonly trial: number; readonly query: number })[]
  /** Where each query's labels begin; one longer than the queries. */
  readonly labelOffsets: Int32Array
  readonly ranks: Int32Array
  readonly scores: Float64Array
  readonly stages: Uint8Array
  readonly channels: Uint8Array
  /** Steps computed in the run that wrote the parts, by name. */
  readonly computed: Readonly<Record<string, number>>
}

/** Stands for the stage of a label that a trial was not run on. */
export const NOT_RUN = 255

/** What the parts are of. */
interface Run {
  readonly measures: readonly string[]
  /** How many there are. */
  readonly trials: number
  /** By query. */
  readonly labels: readonly ShardLabels[]
  /** The queries in the order in which they ran. */
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
  // Shared memory: a thread that writes some of them needs no copy.
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
  // No query counts where a trial was not run.
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
        // The mean of links hides the queries that linked nothing; these are counted for themselves.
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

/** Where a run of a part's numbers goes: `length` of them, from `from` in the part to `to` among all of a trial. */
interface Piece {
  readonly from: number
  readonly to: number
  length: number
}

/** The queries' numbers stand one after another in a part; what is so among all too goes in one piece. */
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

/** Puts a part's numbers of a few queries (or labels) a trial into those of all. */
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
