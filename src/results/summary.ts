import type { Json, SharedGold } from '../types.ts'
import type { AnswersSummary } from './answers.ts'
import type { ComparisonSummary, Estimate } from './compared.ts'
import type { Format } from './format.ts'
import type { CallCost, PricingSummary } from './pricing.ts'

export type * from './compared.ts'

/** A summary before its findings are made. */
export interface Result {
  readonly format: Format
  readonly experiment: string
  /** In the config's order. */
  readonly datasets: readonly DatasetSummary[]
  readonly depth: number
  /** Context sent for an answer: the first chunks of a ranking with their evidence. */
  readonly context: { readonly chunks: number }
  /** Measure names in the config's order. */
  readonly measures: readonly string[]
  /** The measure that names the winner. */
  readonly primary: string
  /** Scales of measures with a custom metric; absent without custom metrics. */
  readonly scales?: Readonly<Record<string, MeasureScale>>
  /** Intervals cover 1 - level. */
  readonly level: number
  readonly tuning: TuningSummary
  /** Queries were sampled by these clusters; absent where each was alone. */
  readonly cluster?: string
  /** In the config's order; empty over several datasets with folds or a split. */
  readonly trials: readonly TrialSummary[]
  /** With folds or a split: one row a strategy, chosen on other queries than it is scored on. Else empty. */
  readonly tuned: readonly TunedSummary[]
  readonly comparison: ComparisonSummary | null
  /** Answers to the questions from what the finalists retrieve; absent where none were asked for. */
  readonly answers?: AnswersSummary
  /** Trials without varied params that read vectors, if all are vectors of `lsa`, no trained model; otherwise absent. */
  readonly standIn?: readonly string[]
  /** One for each router among the trials. */
  readonly routing: readonly RoutingSummary[]
  readonly health: HealthSummary
  /** Price and prompt size of answers; null or absent if the config names no price. */
  readonly pricing?: PricingSummary | null
  /** Tables and graphs behind the trials, by prepared variant: `{chunks: 1890, entities: 19102, …}`; what no trial read is not there. */
  readonly indexes: readonly IndexSummary[]
}

/**
 * `summary.json`: the result of an experiment over one dataset or several. Over several, the measures of a row are macro
 * means (the unweighted mean of the datasets' means, `n` counts all queries; none if a dataset lacks the row), and its
 * categories are the datasets. All means are fractions (0 to 1) or counts a query; nothing here depends on time, so that
 * equal experiments have equal bytes.
 */
export interface Summary extends Result {
  /** Everything that qualifies the result: warnings first, the ones that threaten the verdict most at the top. */
  readonly findings: readonly Finding[]
}

export interface Finding {
  /** A warning qualifies the verdict; a note explains it. */
  readonly severity: 'warning' | 'note'
  /** Subject, as a title: 'Missing gold'. */
  readonly about: string
  /** Sentences; text between backticks is code. */
  readonly text: string
}

/** Scale of a measure's values. */
export interface MeasureScale {
  /** True if values lie from 0 to 1; false for counts. */
  readonly bounded: boolean
  readonly better: 'higher' | 'lower'
}

export interface DatasetSummary {
  readonly name: string
  /** Folder of its own experiment, below the whole one's; absent for the only dataset. */
  readonly folder?: string
  /** Hash of the result there. */
  readonly result?: string
  readonly documents: number
  readonly judgedUnit: 'document' | 'chunk' | 'span'
  readonly queries: number
  /** Queries that count in means: answerable and judged. */
  readonly judged: number
  readonly unanswerable: number
  readonly categories: readonly { readonly name: string; readonly queries: number }[]
  /** Gold labels of the judged queries; `missing` of them are in no document of the corpus. */
  readonly gold: number
  readonly missing: number
  /** Share of judged queries whose gold exists in the corpus, 0 to 1. */
  readonly evaluability: number
  /** Sample of the dataset's queries; absent if all were run. */
  readonly sample?: SampleSummary
  /** Number of queries that were drafted from the corpus (`metadata.synthetic`); absent if there are none. */
  readonly synthetic?: number
  /** Number of these that people reviewed; absent if there are none. */
  readonly reviewed?: number
  /** Queries that share gold, where they are a tenth or more. */
  readonly shared?: SharedGold
  /** Mean number of documents that a query searches; absent if each searches all. */
  readonly searched?: number
}

export interface SampleSummary {
  readonly queries: number
  /** Number of queries of the whole dataset. */
  readonly of: number
  readonly seed: number
}

export type TuningSummary =
  | { readonly kind: 'none' }
  | { readonly kind: 'folds'; readonly folds: number; readonly seed: number }
  | { readonly kind: 'split'; readonly dev: number; readonly seed: number }

export interface TrialSummary {
  readonly id: string
  readonly name: string
  readonly strategy: string
  readonly params: Readonly<Record<string, Json>>
  /** The params that vary between the trials of this strategy: what a name or a heatmap shows. */
  readonly varied: Readonly<Record<string, Json>>
  /** Filter of the chunks it searched: `{where, statistics}`; absent for all chunks. */
  readonly filter?: Json
  readonly engine?: Json
  readonly language?: Json
  readonly before: readonly Json[]
  readonly after: readonly Json[]
  /** Index of `indexes`: which prepared variant. */
  readonly variant: number
  readonly measures: Readonly<Record<string, Estimate>>
  readonly categories: Readonly<Record<string, Readonly<Record<string, Estimate>>>>
  /** Means a query: `retrieved` judged units, `tokens` of the chunks that are sent, `evidenceTokens`, and every counter of its steps; `linked` is the share of queries with any link. */
  readonly perQuery: Readonly<Record<string, number>>
  /** Absent where the config names no price. */
  readonly calls?: CallCost
  /** Reasons of fallbacks in words, with the share of all queries. */
  readonly fallbacks: readonly { readonly when: string; readonly share: number }[]
  /** Number of seeds that measures and counters are means over; absent for one. */
  readonly seeds?: number
  /** Queries that failed, with any seed, and the first of them in words. */
  readonly failed: number
  readonly failures: readonly { readonly query: string; readonly step: string; readonly message: string }[]
  /** Gold labels by the stage that lost them, in the order of the stages; `found` last. Sums to the gold labels. */
  readonly funnel: readonly { readonly stage: string; readonly lost: number }[]
  /** Gold labels found within depth, by the channels that found them: `{dense: 12, "dense+lexical": 80}`. */
  readonly channels: Readonly<Record<string, number>>
  /** True if the rankings of this trial were stored. */
  readonly finalist: boolean
}

export interface TunedSummary {
  /** `tuned:<strategy>`; `tuned:<trial id>` of a plain trial that the config names as baseline. */
  readonly id: string
  readonly strategy: string
  readonly name: string
  readonly measures: Readonly<Record<string, Estimate>>
  /** As a trial's. */
  readonly categories: Readonly<Record<string, Readonly<Record<string, Estimate>>>>
  /** Trial ids chosen, one a fold (or one for a split); none of a fitted router, which chooses for each query. */
  readonly chosen: readonly string[]
  /** Index of the selected trial by query, for a fitted router; null on a split's dev queries. */
  readonly picked?: readonly (number | null)[]
  /** Score of the best trial on the queries that selected it, minus this row's score, in the primary measure; null over several datasets. */
  readonly optimism: number | null
}

/** Choices of a router, in the primary measure. Regret is `oracle` or `best.mean` minus `mean`. */
export interface RoutingSummary {
  readonly id: string
  readonly name: string
  /** `trial` computes the arm alone on every query, where the grid has such a trial; `chosen` counts queries. */
  readonly arms: readonly { readonly name: string; readonly trial: string | null; readonly chosen: number }[]
  readonly mean: number
  /** Number of offered features, and the feature selected by the model of each fold (one for a split); null: always the best single arm. */
  readonly fitted?: { readonly offered: number; readonly features: readonly (string | null)[] }
  /** Arms without such a trial: with any, the rest is null. */
  readonly missing: readonly string[]
  /** The best single arm; `heldOut`: chosen on other queries than it is scored on (folds or a split). */
  readonly best: { readonly name: string; readonly mean: number; readonly heldOut: boolean } | null
  /** The mean of the best arm of each query. */
  readonly oracle: number | null
  /**
   * Share of the headroom that it gains: (mean - best.mean) / (oracle - best.mean), negative for a loss; null without headroom.
   * The interval (at 1 - level) is null for too few queries, or if the headroom is not distinguishable from 0.
   */
  readonly share: {
    readonly value: number
    readonly low: number | null
    readonly high: number | null
    readonly n: number
    readonly level: number
  } | null
  /** Share of queries on which all arms are equal, 0 to 1. */
  readonly tied: number | null
  /** Queries by [chosen arm][best arm], in the order of `arms`; a tie with the chosen arm counts for it. */
  readonly confusion: readonly (readonly number[])[] | null
}

/** Validity checks of the primary measure on these queries. Shares are of the queries that count, 0 to 1. */
export interface HealthSummary {
  /** Ids of the queries on which no trial has a value above 0. */
  readonly unsolved: readonly string[]
  /** Categories in which even a trial that wins on every query could not be distinguished from another at the level. */
  readonly small: readonly { readonly name: string; readonly queries: number }[]
  /** Checks of the finalists. */
  readonly trials: readonly TrialHealth[]
}

export interface TrialHealth {
  readonly id: string
  readonly name: string
  /** Share of queries with the highest value there is; null where the measure has none. */
  readonly ceiling: number | null
  /**
   * Share of queries whose value depends on how equal scores are ordered, and the mean in the worst and the best
   * order; null for measures that spend a budget of tokens.
   */
  readonly ties: { readonly share: number; readonly worst: number; readonly best: number } | null
  /** Share of the first `k` that nobody judged, a query; null where no label is judged not relevant. */
  readonly unjudged: { readonly k: number; readonly share: number } | null
  /**
   * Means of the primary measure under other assumptions on the unjudged: left out (condensed lists, as bpref has it), and
   * relevant within the first `k`; absent where no label is judged not relevant.
   */
  readonly bounds?: { readonly condensed: number; readonly relevant: number }
}

export interface IndexSummary {
  readonly name: string
  readonly prepare: Json
  readonly counts: Readonly<Record<string, number>>
}

/** `manifest.json`: how the result was made. `result` hashes everything but the timings and the machine. */
export interface Manifest {
  readonly format: Format
  readonly version: string
  readonly result: string
  /** The plan's hash: which experiment this is the result of. */
  readonly plan: string
  /** SHA-256 of each result file; empty over several datasets, whose own manifests have them. */
  readonly files: Readonly<Record<string, string>>
  /** SHA-256 of `experiment.yaml`, which is not part of the result: it holds absolute paths. */
  readonly experiment: string | null
  /** SHA-256 of the user's config file. */
  readonly config: string
  /** Absolute path of the folder with the user's config file; paths of two experiments are compared relative to it. */
  readonly folder: string
  readonly dataset: string
  /** Datasets and models from a hub: the commit of each repository and SHA-256 of each file; absent without any. */
  readonly downloads?: readonly {
    readonly name: string
    readonly sources: readonly { readonly repo: string; readonly commit: string }[]
    readonly files: Readonly<Record<string, string>>
  }[]
  readonly artifacts: Readonly<Record<string, string>>
  /** External engines with their versions, and the names of the trials that search there; absent without any. */
  readonly engines?: Readonly<Record<string, readonly string[]>>
  /** Computations by step name. `exact` is false where queries decide (fallbacks, routes): planned is then the most. `computed` is
   * without the rows that an earlier experiment had. */
  readonly steps: {
    readonly planned: Readonly<Record<string, number>>
    readonly exact: boolean
    readonly computed: Readonly<Record<string, number>>
  }
  readonly machine: Readonly<Record<string, string>>
}
