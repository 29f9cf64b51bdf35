import { basename } from 'node:path'
import { formProblem, rankingProblem } from '../../ranking/check.ts'
import type { MemoCell, QueryFacts } from '../../retrieve/evaluate.ts'
import type { StepRanks } from '../../retrieve/explain.ts'
import type { Failure } from '../../retrieve/run-step.ts'
import type { WalkLink } from '../../retrieve/walked.ts'
import type { Ranking } from '../../types.ts'
import type { CompiledTrial } from '../plan/compile.ts'

export type RowWalks = Readonly<Record<string, readonly WalkLink[]>>

/** Keyed by column. */
export type PartRow = Readonly<Record<string, Uint8Array | string | null>>

/** Keyed by chunk row. */
export type RowMarks = Readonly<Record<number, string>>

/**
 * Results on one shard. Rows are (trial, query) pairs, trial after trial. A trial's slice of a label column has the
 * labels of all the shard's queries.
 */
export interface ShardResult {
  readonly shard: number
  /** `end` excluded. */
  readonly begin: number
  readonly end: number
  /** Other seeds included. */
  readonly trials: number
  /** First label of each query in a trial's slice, plus the total. */
  readonly offsets: Int32Array
  /** Row after row, in order of the measures; NaN for queries that no mean counts. */
  readonly values: Float64Array
  /** Bounds of the primary measure over all orders of equal scores. */
  readonly worst: Float64Array
  readonly best: Float64Array
  readonly retrieved: Int32Array
  readonly tokens: Int32Array
  readonly evidenceTokens: Int32Array
  /** Null without facts. */
  readonly counters: readonly (QueryFacts['counters'] | null)[]
  readonly arms: readonly (string | null)[]
  readonly fallbacks: readonly (readonly string[] | null)[]
  readonly notes: readonly (QueryFacts['notes'] | null)[]
  readonly marks: readonly (RowMarks | null)[]
  /** After each step; null if not stored. */
  readonly breakdowns: readonly (readonly StepRanks[] | null)[]
  readonly walks: readonly (RowWalks | null)[]
  readonly failures: readonly (Failure | null)[]
  readonly first: FirstRanks
  readonly ranks: Int32Array
  readonly scores: Float64Array
  readonly stages: Uint8Array
  readonly channels: Uint8Array
  /** Rows of earlier parts, by trial; the columns above lack them. */
  readonly copied: Map<number, PartRow>
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
  const held = Math.min(first.ranks, rows.length)
  first.counts[at] = held
  for (let rank = 0; rank < held; rank++) {
    first.rows[at * first.ranks + rank] = rows[rank]
    first.scores[at * first.ranks + rank] = scores[rank]
  }
}

/** Null without marks. */
export function firstMarks(
  first: FirstRanks,
  at: number,
  marks: ReadonlyMap<number, string>,
): Record<number, string> | null {
  const held = first.rows.subarray(at * first.ranks, at * first.ranks + first.counts[at])
  const said = [...held].flatMap((row) => (marks.has(row) ? [[row, marks.get(row)]] : []))
  return said.length > 0 ? Object.fromEntries(said) : null
}

/** Reason why a trial failed for a query: a step failed, or the output is no ranking or no evidence. */
export function failureOf(
  trial: CompiledTrial,
  cell: MemoCell | undefined,
  beside: MemoCell | undefined,
  chunks: number,
): Failure | null {
  return rankingFailure(trial, cell, chunks) ?? evidenceFailure(trial, beside)
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
