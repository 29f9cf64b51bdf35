import type { QueryFacts } from '../../retrieve/evaluate.ts'
import type { Failure } from '../../retrieve/run-step.ts'
import type { FirstRanks } from './first-ranks.ts'

/** Words by a chunk's row. */
export type RowMarks = Readonly<Record<number, string>>

/**
 * What the trials gave on one shard of queries. Rows are (trial, query) pairs, trial after trial; columns are typed
 * arrays. Labels of all the shard's queries stand one after another, so a trial's slice of a label column is as long
 * as the shard has labels.
 */
export interface ShardResult {
  readonly shard: number
  /** Places of its queries in the running order. */
  readonly begin: number
  readonly end: number
  /** Places of the trials that ran. */
  readonly trials: readonly number[]
  /** Where each query's labels begin in a trial's slice; one longer than the queries. */
  readonly offsets: Int32Array
  /** Row after row, the measures in order; NaN for queries that no mean counts. */
  readonly values: Float64Array
  /** By row: the primary measure's lowest and highest value over the orders of equal scores. */
  readonly worst: Float64Array
  readonly best: Float64Array
  readonly retrieved: Int32Array
  /** Of the chunks that are sent, and of the evidence beside them. */
  readonly tokens: Int32Array
  readonly evidenceTokens: Int32Array
  /** By row: of the steps that it read; null where there is nothing. */
  readonly counters: readonly (QueryFacts['counters'] | null)[]
  readonly arms: readonly (string | null)[]
  readonly fallbacks: readonly (readonly string[] | null)[]
  readonly notes: readonly (QueryFacts['notes'] | null)[]
  /** What is said of the first chunks. */
  readonly marks: readonly (RowMarks | null)[]
  readonly failures: readonly (Failure | null)[]
  /** By row: what is kept of its ranking. */
  readonly first: FirstRanks
  readonly ranks: Int32Array
  /** Tokens of the list down to each label that has a rank. */
  readonly labelTokens: Int32Array
  readonly scores: Float64Array
  readonly stages: Uint8Array
  readonly channels: Uint8Array
  /** Never part of a result: what was computed and how long it took. */
  readonly computed: ReadonlyMap<string, number>
  readonly milliseconds: ReadonlyMap<string, number>
}
