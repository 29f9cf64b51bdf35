import { ANY, type Range, SHARE } from './range.ts'

/**
 * A metric is a definition; a measure is a metric with its cutoff and arguments, as `rbp(p=0.9)`. It reads the judged
 * labels of one query as columns, not a ranking.
 */

/** The judged labels of one query, and where one ranking holds them. The columns are equally long. */
export interface GradedRanking {
  /** Grade of every judged id of the query; below 0 means in the pool but not judged (as trec_eval reads it). */
  readonly grades: Int32Array
  /** Rank from 1 in the ranking collapsed to judged units; 0 where the ranking does not hold the label. */
  readonly ranks: Int32Array | Uint32Array
  /** Length of the collapsed ranking. */
  readonly retrieved: number
  /** o200k tokens of the uncollapsed list up to and including the label's first chunk; Infinity if absent. */
  readonly tokens?: Float64Array
  /** Cumulated tokens of the uncollapsed list; absent where nothing was retrieved. */
  readonly firstTokens?: Uint32Array
  /** Tokens of the evidence that rides along. */
  readonly evidenceTokens?: number
  /** First readings of the labels in an agent's calls; absent for a ranking, which is one call. */
  readonly reads?: Reads | undefined
  /** Labels with the same number are alternatives of one another (`[[A,B],[C]]` is 0, 0, 1); absent: each counts alone. */
  readonly groups?: Int32Array
  /** 1 at each rank (index 0 is rank 1) whose text contains an answer, else 0. Absent if answers are unknown. */
  readonly contains?: Uint8Array
  /** Ranks from a wrong source, by metadata field: 1 if wrong, else 0. A field that the query lacks is absent. */
  readonly foreign?: Readonly<Record<string, Uint8Array>>
  /** First rank whose text names each entity of the query; 0 if none does. Absent if its entities are unknown. */
  readonly entities?: Int32Array
  /** First rank whose text names both ends of each fact of the query's path; 0 if none does. Absent without a path. */
  readonly facts?: Int32Array
}

/** First reading of each label in a trajectory, and where its calls begin. */
export interface Reads {
  /** Call, from 1, that was the first to read each label; 0 if none did. */
  readonly calls: Int32Array
  /** Tokens read up to and including each label's passage, repeated ones included; Infinity if never read. */
  readonly tokens: Float64Array
  /** Tokens read before each call. */
  readonly starts: Float64Array
}

/**
 * View of a graded ranking at one relevance threshold: retrieved labels in rank order, OR-groups reduced to
 * their first member. The arrays are only valid during one call.
 */
export interface View {
  readonly judged: GradedRanking
  /** Ranks of retrieved judged labels, ascending. */
  readonly ranks: Int32Array
  /** Their grades, 0 or more. */
  readonly grades: Int32Array
  /** A grade of `rel` or more is relevant. */
  readonly rel: number
  /** Relevant labels (or groups) of the query, retrieved or not. */
  readonly relevant: number
  /** Labels of the query judged not relevant, retrieved or not. */
  readonly nonrelevant: number
  /** Positive grades of the query, descending, a group once: what an ideal ranking holds. */
  readonly ideal: Int32Array
  readonly retrieved: number
  /** Ranks of relevant labels, ascending, a group by its first member: what recall counts. */
  readonly found: Int32Array
  /** Ranks of relevant labels with every member of a group, as precision counts them. */
  readonly members: Int32Array
}

/** Input that a measure needs beyond grades and ranks. */
export type Needs = 'labels' | 'tokens' | 'context' | 'contains' | 'foreign' | 'entities'

/** Aggregation over queries. `sum` is for counts; `geometric` is trec_eval's gm_map. */
export type Mean = 'arithmetic' | 'sum' | 'geometric'

export interface Metric {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly summary: string
  /** The cutoff after `@`: ranks, recall (0 to 1), or ranks or tokens (`1000tok`). */
  readonly cutoff: 'none' | 'required' | 'optional'
  readonly cutoffIn: 'ranks' | 'recall' | 'tokens' | 'ranks or tokens'
  /** Arguments in parentheses and their defaults; a number's bounds are checked by `check`. */
  readonly args: Readonly<Record<string, ArgumentDefinition>>
  readonly needs: Needs
  readonly mean: Mean
  readonly bounded: boolean
  /** The lowest value of a metric that is not bounded; absent where it has none. */
  readonly least?: number
  readonly better: 'higher' | 'lower'
  /** The value of one query; 0 where nothing was retrieved, NaN where the query does not count for this metric. */
  score(view: View, measure: Measure): number
}

export interface ArgumentDefinition {
  readonly summary: string
  readonly default: number | string
  readonly min?: number
  readonly max?: number
  readonly integer?: boolean
  /** For words: nothing else is accepted. */
  readonly choices?: readonly string[]
  /** For words: letters, digits, `_`, `.` and `-`. */
  readonly free?: true
}

export interface Measure {
  /** Canonical: `recall@5`, `map(rel=2)@100`, `recall@1000tok(evidence=first)`. */
  readonly name: string
  readonly metric: Metric
  /** Cutoff in ranks; Infinity where there is none. */
  readonly k: number
  /** Cutoff in tokens, where it is in tokens. */
  readonly budget: number | null
  /** Recall level, of `iprec@0.10`. */
  readonly level: number | null
  /** Input that a ranking needs in addition to labels. */
  readonly needs: Needs
  /** Relevance threshold: a grade of `rel` or more is relevant. */
  readonly rel: number
  /** Every argument, defaults filled in. */
  readonly args: Readonly<Record<string, number | string>>
}

export const REL: ArgumentDefinition = {
  summary: 'the lowest relevant grade',
  default: 1,
  min: 0,
  max: 1000,
  integer: true,
}

const USUAL = {
  cutoff: 'required',
  cutoffIn: 'ranks',
  args: { rel: REL },
  needs: 'labels',
  mean: 'arithmetic',
  bounded: true,
  better: 'higher',
} as const

export function rangeOf({ bounded, least }: Pick<Metric, 'bounded' | 'least'>): Range {
  return bounded ? SHARE : { ...ANY, ...(least !== undefined && { low: least }) }
}

export function defineMetric(metric: Pick<Metric, 'name' | 'summary' | 'score'> & Partial<Metric>): Metric {
  return { ...USUAL, ...metric }
}
