import type { QueryFacts } from '../../retrieve/evaluate.ts'
import type { StepRanks } from '../../retrieve/explain.ts'
import type { Failure } from '../../retrieve/run-step.ts'
import type { WalkLink } from '../../retrieve/walked.ts'
import type { FirstRanks } from './first-ranks.ts'

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
