import type { Failure } from '../../retrieve/run-step.ts'
import type { Progress } from '../../types.ts'
import type { CompiledTrial } from '../plan/compile.ts'
import type { ShardLabels } from '../shard/locate.ts'
import { type Blobs, type Part, type PartRankings, readPart, readRankings } from '../shard/parts.ts'
import {
  byName,
  createFirstRanks,
  createNumbers,
  LABEL_NAMES,
  LABEL_NUMBERS,
  type LabelNumbers,
  RANKING_LISTS,
  ROW_NAMES,
  ROW_NUMBERS,
  type RowNumbers,
} from '../shard/result.ts'
import type { Session } from '../shard/session.ts'

/**
 * Parts as columns over (trial, query), trial after trial, queries by id; and over (trial, label). Independent of the
 * shards.
 */
export interface Merged extends RowNumbers, LabelNumbers {
  readonly trials: number
  readonly queries: number
  readonly values: readonly Float64Array[]
  /** Sums by trial; `linked` counts queries with `links` above 0. */
  readonly counters: readonly Readonly<Record<string, number>>[]
  readonly arms: ReadonlyMap<number, readonly (string | null)[]>
  readonly fallbacks: readonly ReadonlyMap<string, number>[]
  readonly failures: readonly (Failure & { readonly trial: number; readonly query: number })[]
  /** First label of each query, plus the total. */
  readonly labelOffsets: Int32Array
  readonly computed: Readonly<Record<string, number>>
}

interface Run {
  readonly measures: readonly string[]
  readonly trials: number
  readonly labels: readonly ShardLabels[]
}

export async function mergeParts(
  parts: readonly Part[],
  { measures, trials, labels }: Run,
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
  const merged = {
    values: measures.map(() => new Float64Array(cells)),
    ...createNumbers(ROW_NUMBERS, cells),
    ...createNumbers(LABEL_NUMBERS, labelCells),
  }

  for (const [index, file] of parts.entries()) {
    progress('parts merged', index, parts.length)
    const part = await readPart(file, measures)
    const { begin } = part
    part.values.forEach((column, measure) => {
      insert(merged.values[measure], column, begin)
    })
    for (const column of ROW_NAMES) insert(merged[column], part[column], begin)
    for (const column of LABEL_NAMES) insert(merged[column], part[column], labelOffsets[begin])
    for (let trial = 0; trial < trials; trial++) {
      part.counters[trial]?.forEach((counts) => {
        if (!counts) return
        addCounts(counters[trial], counts)
        if (counts.links !== undefined) addCounts(counters[trial], { linked: counts.links > 0 ? 1 : 0 })
      })
      part.arms[trial]?.forEach((arm, index) => {
        const chosen = arms.get(trial) ?? new Array<string | null>(queries).fill(null)
        chosen[begin + index] = arm
        arms.set(trial, chosen)
      })
      for (const reason of part.fallbacks[trial]?.flatMap((reasons) => reasons ?? []) ?? [])
        fallbacks[trial].set(reason, (fallbacks[trial].get(reason) ?? 0) + 1)
      part.failures[trial]?.forEach((failure, index) => {
        if (failure) failures.push({ trial, query: begin + index, ...failure })
      })
    }
    addCounts(computed, part.computed)
  }
  progress('parts merged', parts.length, parts.length)
  failures.sort((a, b) => a.trial - b.trial || a.query - b.query)
  return { trials, queries, ...merged, counters, arms, fallbacks, failures, labelOffsets, computed }
}

/** A trial's part of a column by (trial, query). */
export function ofTrial<T extends Float64Array | Int32Array>(column: T, trial: number, queries: number): T {
  return column.subarray(trial * queries, (trial + 1) * queries) as T
}

/** Copies a part's numbers, from `begin` of each trial on. */
function insert(all: Float64Array | Int32Array | Uint8Array, blobs: Blobs, begin: number): void {
  const bytes = new Uint8Array(all.buffer)
  const stride = bytes.length / blobs.length
  for (const [trial, blob] of blobs.entries()) bytes.set(blob, trial * stride + begin * all.BYTES_PER_ELEMENT)
}

function addCounts(into: Record<string, number>, from: Readonly<Record<string, number>>): void {
  for (const [name, amount] of Object.entries(from)) into[name] = (into[name] ?? 0) + amount
}

/** Rankings of `trials` by query. `parts` are in order. */
export async function rankingsOf(
  { plan }: Session,
  trials: readonly number[],
  parts: readonly Part[],
  { queries }: Pick<Merged, 'queries'>,
): Promise<PartRankings[]> {
  const byTrial = trials.map(() => ({
    first: createFirstRanks(queries, plan.experiment.depth),
    ...byName(['counters', ...RANKING_LISTS], () => new Array(queries).fill(null)),
  }))
  let begin = 0
  for (const part of parts) {
    const rankings = await readRankings(part, trials)
    for (const [index, { first, ...said }] of rankings.entries()) {
      const target = byTrial[index]
      target.first.counts.set(first.counts, begin)
      target.first.rows.set(first.rows, begin * first.ranks)
      target.first.scores.set(first.scores, begin * first.ranks)
      for (const name of ['counters', ...RANKING_LISTS] as const)
        said[name]?.forEach((value, at) => {
          target[name][begin + at] = value
        })
    }
    begin += rankings[0]?.first.counts.length ?? 0
  }
  return byTrial
}

/**
 * Means over a row's seeds of values, bounds under ties and counters. Rankings, ranks, stages and tokens stay those of
 * the first seed. A query that failed with any seed counts as failed, with value 0 for that seed.
 */
export function averageSeeds(all: Merged, rows: readonly Pick<CompiledTrial, 'seeds'>[]): Merged {
  const { queries } = all
  const trials = rows.length
  // In the order of `withSeeds`.
  let next = trials
  const trialsOf = rows.map(({ seeds }, row) => [row, ...seeds.map(() => next++)])
  if (next === trials) return all
  const rowOf = new Map(trialsOf.flatMap((seeds, row) => seeds.map((trial) => [trial, row])))
  for (const column of [...all.values, all.worst, all.best])
    for (const seeds of trialsOf)
      if (seeds.length > 1)
        ofTrial(column, seeds[0], queries).set(meansOf(seeds.map((trial) => ofTrial(column, trial, queries))))
  const labels = all.labelOffsets[queries]
  return {
    ...all,
    trials,
    values: all.values.map((column) => column.subarray(0, trials * queries)),
    ...(byName(ROW_NAMES, (name) => all[name].subarray(0, trials * queries)) as RowNumbers),
    ...(byName(LABEL_NAMES, (name) => all[name].subarray(0, trials * labels)) as LabelNumbers),
    counters: trialsOf.map((seeds) => meanCounts(seeds.map((trial) => all.counters[trial]))),
    arms: new Map([...all.arms].filter(([trial]) => trial < trials)),
    fallbacks: all.fallbacks.slice(0, trials),
    failures: failuresOf(all.failures, rowOf),
  }
}

function meansOf(columns: readonly Float64Array[]): Float64Array {
  const means = new Float64Array(columns[0].length)
  for (const column of columns)
    for (let query = 0; query < means.length; query++) means[query] += column[query]
  return means.map((sum) => sum / columns.length)
}

function meanCounts(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const counters of counts) addCounts(sums, counters)
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, sum / counts.length]))
}

function failuresOf(failures: Merged['failures'], rowOf: ReadonlyMap<number, number>): Merged['failures'] {
  const byCell = new Map<string, Merged['failures'][number]>()
  for (const failure of failures) {
    const trial = rowOf.get(failure.trial) as number
    const key = `${trial} ${failure.query}`
    if (!byCell.has(key)) byCell.set(key, { ...failure, trial })
  }
  return [...byCell.values()].sort((a, b) => a.trial - b.trial || a.query - b.query)
}
