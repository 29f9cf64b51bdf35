import type { QueryFacts } from '../../retrieve/evaluate.ts'
import type { StepRanks } from '../../retrieve/explain.ts'
import type { Failure } from '../../retrieve/run-step.ts'
import type { WalkLink } from '../../retrieve/walked.ts'
import type { FirstRanks } from './first-ranks.ts'

/** Links of walks, by step. */
export type RowWalks = Readonly<Record<string, readonly WalkLink[]>>

/** Cells of one trial in a part, by column. */
export type PartRow = Readonly<Record<string, Uint8Array | string | null>>

/** Marks by chunk row. */
export type RowMarks = Readonly<Record<number, string>>

/**
 * Results of the trials on one shard of queries. Rows are (trial, query) pairs, trial after trial; columns are typed arrays.
 * Labels of all the shard's queries follow one another, so a trial's slice of a label column is as long as the shard has
 * labels.
 */
export interface ShardResult {
  readonly shard: number
  /** Indexes of its queries: from `begin` up to, not including, `end`. */
  readonly begin: number
  readonly end: number
  /** Number of trials, repeats included. */
  readonly trials: number
  /** First label of each query within a trial's slice, plus the total. */
  readonly offsets: Int32Array
  /** Values row after row, in order of the measures; NaN for queries that no mean counts. */
  readonly values: Float64Array
  /** Lowest and highest value of the primary measure by row, over all orders of equal scores. */
  readonly worst: Float64Array
  readonly best: Float64Array
  readonly retrieved: Int32Array
  /** Tokens of the chunks in the context, and of the evidence. */
  readonly tokens: Int32Array
  readonly evidenceTokens: Int32Array
  /** Facts of the steps that each row read; null if there are none. */
  readonly counters: readonly (QueryFacts['counters'] | null)[]
  readonly arms: readonly (string | null)[]
  readonly fallbacks: readonly (readonly string[] | null)[]
  readonly notes: readonly (QueryFacts['notes'] | null)[]
  /** Marks of the first chunks. */
  readonly marks: readonly (RowMarks | null)[]
  /** Ranks and scores of the first chunks after each step, and links of walks to them; null if they are not stored. */
  readonly breakdowns: readonly (readonly StepRanks[] | null)[]
  readonly walks: readonly (RowWalks | null)[]
  readonly failures: readonly (Failure | null)[]
  /** First ranks by row. */
  readonly first: FirstRanks
  readonly ranks: Int32Array
  readonly scores: Float64Array
  readonly stages: Uint8Array
  readonly channels: Uint8Array
  /** Rows that an earlier part has, by trial; the columns above have no values of them. */
  readonly copied: Map<number, PartRow>
  /** Number and duration of computations by step; never part of a result. */
  readonly computed: ReadonlyMap<string, number>
  readonly milliseconds: ReadonlyMap<string, number>
}
