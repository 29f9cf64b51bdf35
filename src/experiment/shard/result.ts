import { basename } from 'node:path'
import { formProblem, rankingProblem } from '../../ranking/check.ts'
import type { MemoCell, QueryFacts } from '../../retrieve/evaluate.ts'
import type { StepRanks, WalkLink } from '../../retrieve/explain.ts'
import type { Failure } from '../../retrieve/run-step.ts'
import type { Ranking } from '../../types.ts'
import type { CompiledTrial } from '../plan/compile.ts'

/** Columns with one number per (trial, query), and with one per (trial, label). */
export const ROW_NUMBERS = {
  /** Bounds of the primary measure over all orders of equal scores. */
  worst: Float64Array,
  best: Float64Array,
  retrieved: Int32Array,
  tokens: Int32Array,
  evidenceTokens: Int32Array,
} as const
export const LABEL_NUMBERS = {
  ranks: Int32Array,
  scores: Float64Array,
  stages: Uint8Array,
  channels: Uint8Array,
} as const
export const ROW_NAMES = namesIn(ROW_NUMBERS)
export const LABEL_NAMES = namesIn(LABEL_NUMBERS)

type ArrayType = typeof Float64Array | typeof Int32Array | typeof Uint8Array
type Numbers<T extends Record<string, ArrayType>> = { readonly [K in keyof T]: InstanceType<T[K]> }
export type RowNumbers = Numbers<typeof ROW_NUMBERS>
export type LabelNumbers = Numbers<typeof LABEL_NUMBERS>

function namesIn<T extends object>(types: T): (keyof T & string)[] {
  return Object.keys(types) as (keyof T & string)[]
}

/** Columns of `length`: doubles are NaN, whole numbers 0. */
export function createNumbers<T extends Record<string, ArrayType>>(types: T, length: number): Numbers<T> {
  return byName(namesIn(types), (name) => new types[name](length).fill(Number.NaN)) as Numbers<T>
}

export function byName<N extends string, V>(names: readonly N[], read: (name: N) => V): Record<N, V> {
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<N, V>
}

/** Values that most rows lack: merged ones, and those of stored rankings. */
export const MERGED_LISTS = ['counters', 'arms', 'fallbacks', 'failures'] as const
export const RANKING_LISTS = ['notes', 'marks', 'breakdowns', 'walks'] as const

interface RowValues {
  readonly counters: QueryFacts['counters']
  readonly arms: string
  readonly fallbacks: readonly string[]
  readonly failures: Failure
  readonly notes: QueryFacts['notes']
  /** Keyed by row of a first chunk. */
  readonly marks: Readonly<Record<number, string>>
  /** Ranks of the first chunks after each step. */
  readonly breakdowns: readonly StepRanks[]
  /** Links of walks to the first chunks, by step. */
  readonly walks: Readonly<Record<string, readonly WalkLink[]>>
}
export type RowLists = { readonly [K in keyof RowValues]: (RowValues[K] | null)[] }

/** Results of one trial on a shard, by query; columns of labels hold those of all its queries. */
export interface TrialRows extends RowNumbers, LabelNumbers, RowLists {
  /** Indexed by measure; NaN for queries that no mean counts. */
  readonly values: readonly Float64Array[]
  readonly first: FirstRanks
}

export function createRows(measures: number, queries: number, labels: number, depth: number): TrialRows {
  return {
    values: Array.from({ length: measures }, () => new Float64Array(queries).fill(Number.NaN)),
    ...createNumbers(ROW_NUMBERS, queries),
    ...createNumbers(LABEL_NUMBERS, labels),
    ...(byName([...MERGED_LISTS, ...RANKING_LISTS], () => new Array(queries).fill(null)) as RowLists),
    first: createFirstRanks(queries, depth),
  }
}

/** A trial's cells in a part, by column. */
export type PartRow = Readonly<Record<string, Uint8Array | string | null>>

export interface ShardResult {
  readonly shard: number
  /** `end` excluded. */
  readonly begin: number
  readonly end: number
  /** Indexed by trial, other seeds included. */
  readonly trials: readonly PartRow[]
  /** Keyed by step; part of no result. */
  readonly computed: ReadonlyMap<string, number>
  readonly milliseconds: ReadonlyMap<string, number>
}

/** Ranks stored per ranking; gold has its rank anyway. */
export const KEPT_RANKS = 20

/** `ranks` places per ranking, of which `counts[ranking]` are used. */
export interface FirstRanks {
  readonly ranks: number
  readonly counts: Uint8Array
  readonly rows: Uint32Array
  readonly scores: Float64Array
}

export function createFirstRanks(rankings: number, depth: number): FirstRanks {
  const ranks = Math.min(KEPT_RANKS, depth)
  return {
    ranks,
    counts: new Uint8Array(rankings),
    rows: new Uint32Array(rankings * ranks),
    scores: new Float64Array(rankings * ranks),
  }
}

export function holdFirstRanks(first: FirstRanks, at: number, ranking: Ranking): void {
  const { rows, scores } = ranking
  const count = Math.min(first.ranks, rows.length)
  first.counts[at] = count
  for (let rank = 0; rank < count; rank++) {
    first.rows[at * first.ranks + rank] = rows[rank]
    first.scores[at * first.ranks + rank] = scores[rank]
  }
}

export function firstRows({ ranks, counts, rows }: FirstRanks, at: number): Uint32Array {
  return rows.subarray(at * ranks, at * ranks + counts[at])
}

export function firstMarks(
  first: FirstRanks,
  at: number,
  marks: ReadonlyMap<number, string>,
): Record<number, string> | null {
  const said = [...firstRows(first, at)].flatMap((row) => (marks.has(row) ? [[row, marks.get(row)]] : []))
  return said.length > 0 ? Object.fromEntries(said) : null
}

/** Reason why a trial failed for a query: a step failed, or the output is no ranking or no evidence. */
export function failureOf(
  trial: CompiledTrial,
  cell: MemoCell | undefined,
  evidence: MemoCell | undefined,
  chunks: number,
): Failure | null {
  return rankingFailure(trial, cell, chunks) ?? evidenceFailure(trial, evidence)
}

/** Custom rankings are checked completely, built-in ones by their form. */
export function rankingFailure(
  { strategy, sha256, ranking }: CompiledTrial,
  cell: MemoCell | undefined,
  chunks: number,
): Failure | null {
  if (cell?.failure) return cell.failure
  const problem = sha256 === undefined ? formProblem(cell?.value) : rankingProblem(cell?.value, chunks)
  const message = `the strategy ${basename(strategy)} gave no ranking: ${problem}`
  return problem ? { step: ranking.step.name, message } : null
}

function evidenceFailure({ strategy, evidence }: CompiledTrial, cell: MemoCell | undefined): Failure | null {
  if (!evidence || cell?.failure) return cell?.failure ?? null
  const { value } = cell ?? {}
  if (Array.isArray(value) && value.every((item) => Number.isSafeInteger(item?.tokens))) return null
  const message = `the strategy ${basename(strategy)} gave no evidence: a list of {kind, id, text, tokens}`
  return { step: evidence.step.name, message }
}
