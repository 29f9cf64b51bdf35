import type { Failure } from '../../retrieve/run-step.ts'
import type { Labels } from '../../shard/labels.ts'
import { type Blobs, type Part, readPart } from '../../shard/parts.ts'
import type { Progress } from '../../types.ts'

/**
 * All parts of a run as columns over (trial, query), trial after trial, queries by id; and over (trial, label), labels
 * query after query. Whatever cut the run into shards, these are the same.
 */
export interface Merged {
  readonly trials: number
  readonly queries: number
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

export async function mergeParts(
  parts: readonly Part[],
  measures: readonly string[],
  trials: number,
  labels: readonly Labels[],
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

  for (const [index, one] of parts.entries()) {
    progress('parts merged', index, parts.length)
    const part = await readPart(one, measures)
    part.values.forEach((column, measure) => {
      insert(merged.values[measure], column, part.begin)
    })
    for (const column of ['worst', 'best', 'retrieved', 'tokens', 'evidenceTokens'] as const)
      insert(merged[column], part[column], part.begin)
    for (const column of ['ranks', 'scores', 'stages', 'channels'] as const)
      insert(merged[column], part[column], labelOffsets[part.begin])
    for (let trial = 0; trial < trials; trial++) {
      part.counters[trial]?.forEach((counts) => {
        if (!counts) return
        addCounts(counters[trial], counts)
        // The mean of links hides the queries that linked nothing; these are counted for themselves.
        if (counts.links !== undefined) addCounts(counters[trial], { linked: counts.links > 0 ? 1 : 0 })
      })
      part.arms[trial]?.forEach((arm, index) => {
        const chosen = arms.get(trial) ?? new Array<string | null>(queries).fill(null)
        chosen[part.begin + index] = arm
        arms.set(trial, chosen)
      })
      for (const reason of part.fallbacks[trial]?.flatMap((reasons) => reasons ?? []) ?? [])
        fallbacks[trial].set(reason, (fallbacks[trial].get(reason) ?? 0) + 1)
      part.failures[trial]?.forEach((failure, index) => {
        if (failure) failures.push({ trial, query: part.begin + index, ...failure })
      })
    }
    addCounts(computed, part.computed)
  }
  progress('parts merged', parts.length, parts.length)
  failures.sort((a, b) => a.trial - b.trial || a.query - b.query)
  return { trials, queries, ...merged, counters, arms, fallbacks, failures, labelOffsets, computed }
}

/** Puts a part's numbers of a few queries (or labels) a trial into those of all, from place `begin`. */
function insert(all: Float64Array | Int32Array | Uint8Array, blobs: Blobs, begin: number): void {
  const bytes = new Uint8Array(all.buffer)
  const stride = bytes.length / blobs.length
  const from = begin * all.BYTES_PER_ELEMENT
  for (let trial = 0; trial < blobs.length; trial++) bytes.set(blobs[trial], trial * stride + from)
}

function addCounts(into: Record<string, number>, from: Readonly<Record<string, number>>): void {
  for (const [name, amount] of Object.entries(from)) into[name] = (into[name] ?? 0) + amount
}
