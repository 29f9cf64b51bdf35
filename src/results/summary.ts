import type { ErrorParts } from '../statistics/repeats.ts'
import type { Json, SharedGold } from '../types.ts'
import type { AnswersSummary } from './answers.ts'
import type { ComparisonSummary, Estimate } from './compared.ts'
import type { Format } from './format.ts'
import type { CallCost, PricingSummary } from './pricing.ts'

export type * from './compared.ts'

/**
 * `summary.json`: what the leaderboard and the report open first. All means are fractions (0 to 1) or counts a query;
 * nothing here depends on time, so that equal experiments have equal bytes.
 */
export interface Summary {
  readonly format: Format
  readonly experiment: string
  readonly dataset: DatasetSummary
  readonly depth: number
  /** What is sent for an answer: the first chunks of a ranking, with its evidence. */
  readonly context: { readonly chunks: number }
  /** Measure names in the config's order. */
  readonly measures: readonly string[]
  /** The measure that names the winner. */
  readonly primary: string
  /** Of the measures whose metric is a file of the user's own: their names do not tell. Absent where there are none. */
  readonly scales?: Readonly<Record<string, MeasureScale>>
  readonly tuning: TuningSummary
  /** Queries were sampled by these clusters; absent where each was alone. */
  readonly cluster?: string
  /** Null where every trial was run on every query. */
  readonly race: RaceSummary | null
  /** In the config's order. */
  readonly trials: readonly TrialSummary[]
  /** With folds or a split: one row a strategy, chosen on other queries than it is scored on. Else empty. */
  readonly tuned: readonly TunedSummary[]
  readonly comparison: ComparisonSummary | null
  /** Answers to the questions from what the finalists retrieve; absent where none were asked for. */
  readonly answers?: AnswersSummary
  /** One for each router among the trials. */
  readonly routing: readonly RoutingSummary[]
  readonly health: HealthSummary
  /** What the answers would cost; null or absent where the config names no price. */
  readonly pricing?: PricingSummary | null
  /** Tables and graphs behind the trials, by prepared variant: `{chunks: 1890, entities: 19102, …}`; what no trial read is not there. */
  readonly indexes: readonly IndexSummary[]
}

/** How a measure's values are read. */
export interface MeasureScale {
  /** From 0 to 1; else they count something. */
  readonly bounded: boolean
  readonly better: 'higher' | 'lower'
}

export interface DatasetSummary {
  readonly name: string
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
  /** Things counted at the door, in words. */
  readonly notices: readonly string[]
  /** Queries that share gold, where they are a tenth or more. */
  readonly shared?: SharedGold
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
  /** Which chunks its searches saw: `{where, statistics}`; all where absent. */
  readonly filter?: Json
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
  /** Why queries fell back, in words, and the share of all queries that did. */
  readonly fallbacks: readonly { readonly when: string; readonly share: number }[]
  /** Of a stochastic trial and was run with several seeds, in the primary measure; absent elsewhere. */
  readonly repeats?: {
    readonly means: readonly number[]
    readonly error: ErrorParts
  }
  /** Queries that failed, in any repeat, and the first of them in words. */
  readonly failed: number
  readonly failures: readonly { readonly query: string; readonly step: string; readonly message: string }[]
  /** Gold labels by the stage that lost them, in the order of the stages; `found` last. Sums to the gold labels. */
  readonly funnel: readonly { readonly stage: string; readonly lost: number }[]
  /** Gold labels found within depth, by the channels that found them: `{dense: 12, "dense+lexical": 80}`. */
  readonly channels: Readonly<Record<string, number>>
  /** Whether whole rankings of this trial were kept. */
  readonly finalist: boolean
  /** Where a race stopped it: all of its numbers are over the queries that it was run on. Absent where it was run on all. */
  readonly stopped?: StoppedSummary
}

export interface StoppedSummary {
  /** Queries that it was run on. */
  readonly after: number
  /** Id of the trial that led when it stopped. */
  readonly by: string
  /** In the primary measure, this minus that trial, over the `n` queries that count among these. */
  readonly difference: Pick<Estimate, 'mean' | 'n'>
}

/** How trials raced. */
export interface RaceSummary {
  readonly level: number
  readonly firstTest: number
  readonly blocks: string | null
  /** How many queries were run at the end of each round, and the trials that ran in it. */
  readonly rounds: readonly { readonly queries: number; readonly trials: number }[]
  /** Share of all (trial, query) pairs that were run. */
  readonly share: number
  /** With folds or a split: strategies without a tuned row, since for some part no trial of theirs was left to choose. */
  readonly untuned: readonly string[]
}

export interface TunedSummary {
  readonly strategy: string
  readonly name: string
  readonly measures: Readonly<Record<string, Estimate>>
  /** As a trial's. */
  readonly categories: Readonly<Record<string, Readonly<Record<string, Estimate>>>>
  /** Trial ids chosen, one a fold (or one for a split); none of a fitted router, which chooses for each query. */
  readonly chosen: readonly string[]
  /** Of a fitted router: by query, the index of the trial chosen; null on a split's dev queries. */
  readonly picked?: readonly (number | null)[]
  /** How much better the best trial scores on the queries it was chosen by than this row, in the primary measure. */
  readonly optimism: number
}

/** How a router chose, in the primary measure. Regret is `oracle` or `best.mean` minus `mean`. */
export interface RoutingSummary {
  readonly id: string
  readonly name: string
  /** `trial` computes the arm alone on every query, where the grid has such a trial; `chosen` counts queries. */
  readonly arms: readonly { readonly name: string; readonly trial: string | null; readonly chosen: number }[]
  readonly mean: number
  /** Of a fitted router: by which of so many features each fold's model (or a split's one) chooses; null: always the best single arm. */
  readonly fitted?: { readonly offered: number; readonly features: readonly (string | null)[] }
  /** Arms without such a trial: with any, the rest is null. */
  readonly missing: readonly string[]
  /** The best single arm; `heldOut`: chosen on other queries than it is scored on (folds or a split). */
  readonly best: { readonly name: string; readonly mean: number; readonly heldOut: boolean } | null
  /** The mean of the best arm of each query. */
  readonly oracle: number | null
  /**
   * What it takes of the headroom: (mean - best.mean) / (oracle - best.mean), below 0 where it loses; null without headroom.
   * The interval (at 1 - level) is null of too few queries, or where they do not tell the headroom from 0.
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

/** Whether the primary measure can tell anything on these queries. Shares are of the queries that count, 0 to 1. */
export interface HealthSummary {
  /** Ids of the queries on which no trial has a value above 0. */
  readonly unsolved: readonly string[]
  /** Categories in which even a trial that wins on every query could not be told from another at the level. */
  readonly small: readonly { readonly name: string; readonly queries: number }[]
  /** Of the finalists. */
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
}

export interface IndexSummary {
  readonly name: string
  readonly prepare: Json
  readonly counts: Readonly<Record<string, number>>
  /** Absent where no trial reads words. */
  readonly words?: WordsSummary
  /** Sentences on rows of foreign graph files that were left out or merged; absent if there are none. */
  readonly foreign?: readonly string[]
  /** Absent where no model reads only the beginning of some text. */
  readonly cut?: readonly CutSummary[]
}

/** Texts that are longer than a model reads. */
export interface CutSummary {
  /** `chunks`, `queries`, `entities`, ... */
  readonly what: string
  /** A chunk and a query of median length are read together, as a cross-encoder does. */
  readonly paired?: boolean
  readonly model: string
  /** The most tokens that the model reads. */
  readonly limit: number
  readonly texts: number
  readonly cut: number
  /** Tokens of the cut texts, and how many of them are not read. */
  readonly tokens: number
  readonly unread: number
}

/** How texts become terms, and which questions have none that the corpus holds. */
export interface WordsSummary {
  readonly tokenizer: string
  /** As configured: `auto`, `none` or a language. */
  readonly language: string
  /** Texts that were looked at to recognise scripts and languages. */
  readonly texts: number
  /** The scripts that count, with the share of the letters, the most first. */
  readonly scripts: readonly {
    readonly script: string
    readonly share: number
    /** By its small words; null where they tell too little. */
    readonly recognised: string | null
    /** After which it is analysed; null where there is none. */
    readonly language: string | null
  }[]
  /** What looks words up: BM25, LSA. */
  readonly searches: readonly SearchedWords[]
}

/** Of the judged queries, as they were asked, those that this search finds nothing for, and why. */
export interface SearchedWords {
  readonly name: string
  readonly queries: number
  /** Without any term after analysis. */
  readonly wordless: number
  /** With terms, none of which is in a chunk. */
  readonly unknown: number
}

/** `manifest.json`: how the result was made. `result` hashes everything but the timings and the machine. */
export interface Manifest {
  readonly format: Format
  readonly version: string
  readonly result: string
  /** The plan's hash: which experiment this is the result of. */
  readonly plan: string
  /** SHA-256 of each result file. */
  readonly files: Readonly<Record<string, string>>
  /** SHA-256 of `experiment.yaml`, which is no part of the result: it holds absolute paths. */
  readonly experiment: string | null
  /** SHA-256 of the user's config file. */
  readonly config: string
  readonly dataset: string
  readonly artifacts: Readonly<Record<string, string>>
  /** Computations by step name. `exact` is false where queries decide (fallbacks, routes): planned is then the most. */
  readonly steps: {
    readonly planned: Readonly<Record<string, number>>
    readonly exact: boolean
    readonly computed: Readonly<Record<string, number>>
  }
  readonly machine: Readonly<Record<string, string>>
}
