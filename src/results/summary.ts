import type { Comparison, Verdict } from '../statistics/compare.ts'
import type { Json, SharedGold } from '../types.ts'
import type { Format } from './format.ts'

/** A summary before its findings are made. */
export interface Result {
  readonly format: Format
  readonly experiment: string
  readonly datasets: readonly DatasetSummary[]
  readonly depth: number
  /** Context of an answer: the first chunks with their evidence. */
  readonly context: { readonly chunks: number }
  readonly measures: readonly string[]
  readonly primary: string
  /** Scales of custom measures. */
  readonly scales?: Readonly<Record<string, MeasureScale>>
  /** Intervals cover 1 - level. */
  readonly level: number
  readonly tuning: TuningSummary
  /** As `compare.cluster` names them. */
  readonly cluster?: string
  /** Empty over several datasets with folds or a split. */
  readonly trials: readonly TrialSummary[]
  /** With folds or a split: one row per strategy, chosen on other queries than it is scored on. */
  readonly tuned: readonly TunedSummary[]
  readonly comparison: ComparisonSummary | null
  readonly answers?: AnswersSummary
  /** Trials that read vectors, if all are vectors of `lsa`. */
  readonly standIn?: readonly string[]
  readonly routing: readonly RoutingSummary[]
  readonly health: HealthSummary
  readonly pricing?: PricingSummary | null
  /** Tables and graphs behind the trials, by prepared variant. */
  readonly indexes: readonly IndexSummary[]
}

/**
 * `summary.json`. Means are fractions (0 to 1) or counts per query. Over several datasets, measures are macro means
 * (`n` counts all queries; absent if a dataset lacks the row), and categories are the datasets. Nothing depends on
 * time.
 */
export interface Summary extends Result {
  /** Warnings first, in order of importance. */
  readonly findings: readonly Finding[]
}

export interface Finding {
  readonly severity: 'warning' | 'note'
  /** Subject, as a title: 'Missing gold'. */
  readonly about: string
  /** Text between backticks is code. */
  readonly text: string
}

export interface MeasureScale {
  /** True if values lie from 0 to 1; false for counts. */
  readonly bounded: boolean
  readonly better: 'higher' | 'lower'
}

export interface DatasetSummary {
  readonly name: string
  /** Folder below the whole experiment's; absent for the only dataset. */
  readonly folder?: string
  /** Hash of its result. */
  readonly result?: string
  readonly documents: number
  readonly judgedUnit: 'document' | 'chunk' | 'span'
  readonly queries: number
  /** Queries that count in means: answerable and judged. */
  readonly judged: number
  readonly unanswerable: number
  readonly categories: readonly { readonly name: string; readonly queries: number }[]
  /** Gold labels of the judged queries; `missing` ones are in no document. */
  readonly gold: number
  readonly missing: number
  /** Share of judged queries whose gold is in the corpus. */
  readonly evaluability: number
  readonly sample?: SampleSummary
  /** Queries drafted from the corpus (`metadata.synthetic`). */
  readonly synthetic?: number
  /** Drafted queries that people reviewed. */
  readonly reviewed?: number
  /** Queries that share gold, if they are a tenth or more. */
  readonly shared?: SharedGold
  /** Mean number of documents that a query searches; absent for all. */
  readonly searched?: number
}

export interface SampleSummary {
  readonly queries: number
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
  /** Params that vary between trials of the strategy. */
  readonly varied: Readonly<Record<string, Json>>
  /** `{where, statistics}`; absent for all chunks. */
  readonly filter?: Json
  readonly engine?: Json
  readonly language?: Json
  readonly before: readonly Json[]
  readonly after: readonly Json[]
  /** Index of `indexes`. */
  readonly variant: number
  readonly measures: Readonly<Record<string, Estimate>>
  readonly categories: Readonly<Record<string, Readonly<Record<string, Estimate>>>>
  /**
   * Means per query: `retrieved` judged units, `tokens` of the sent chunks, `evidenceTokens`, and each counter of its
   * steps. `linked` is the share of queries with a link.
   */
  readonly perQuery: Readonly<Record<string, number>>
  readonly calls?: CallCost
  readonly fallbacks: readonly { readonly when: string; readonly share: number }[]
  /** Seeds that the means are over; absent for one. */
  readonly seeds?: number
  /** Queries that failed with any seed, and the first reasons. */
  readonly failed: number
  readonly failures: readonly { readonly query: string; readonly step: string; readonly message: string }[]
  /** Gold labels by the stage that lost them, in order; `found` last. */
  readonly funnel: readonly { readonly stage: string; readonly lost: number }[]
  /** Found gold labels by the channels that found them: `{dense: 12, "dense+lexical": 80}`. */
  readonly channels: Readonly<Record<string, number>>
  /** True if its rankings were stored. */
  readonly finalist: boolean
}

export interface TunedSummary {
  /** `tuned:<strategy>`; `tuned:<trial id>` of a plain trial that is the baseline. */
  readonly id: string
  readonly strategy: string
  readonly name: string
  readonly measures: Readonly<Record<string, Estimate>>
  readonly categories: Readonly<Record<string, Readonly<Record<string, Estimate>>>>
  /** Trial ids, one per fold (one for a split); empty for a fitted router. */
  readonly chosen: readonly string[]
  /** For a fitted router: index of the trial by query; null on a split's dev queries. */
  readonly picked?: readonly (number | null)[]
  /**
   * Primary score of the best trial on the queries that selected it, minus this row's score; null over several
   * datasets.
   */
  readonly optimism: number | null
}

/** Choices of a router in the primary measure. Regret is `oracle` or `best.mean` minus `mean`. */
export interface RoutingSummary {
  readonly id: string
  readonly name: string
  /** `trial` is the arm alone on every query, if the grid has it; `chosen` counts queries. */
  readonly arms: readonly { readonly name: string; readonly trial: string | null; readonly chosen: number }[]
  readonly mean: number
  /** `features`: selected by the model of each fold; null is the best single arm. */
  readonly fitted?: { readonly offered: number; readonly features: readonly (string | null)[] }
  /** Arms without a trial. If there are any, the following fields are null. */
  readonly missing: readonly string[]
  /** Best single arm; `heldOut`: chosen on other queries than it is scored on. */
  readonly best: { readonly name: string; readonly mean: number; readonly heldOut: boolean } | null
  /** Mean of the best arm of each query. */
  readonly oracle: number | null
  /**
   * Share of the headroom: (mean - best.mean) / (oracle - best.mean); null without headroom. The interval is null for
   * few queries or an insignificant headroom.
   */
  readonly share: {
    readonly value: number
    readonly low: number | null
    readonly high: number | null
    readonly n: number
    readonly level: number
  } | null
  /** Share of queries on which all arms are equal. */
  readonly tied: number | null
  /** Queries by [chosen arm][best arm]; a tie with the chosen arm counts for it. */
  readonly confusion: readonly (readonly number[])[] | null
}

/** Checks of the primary measure. Shares are of the queries that count. */
export interface HealthSummary {
  /** Queries on which no trial is above 0. */
  readonly unsolved: readonly string[]
  /** Categories in which no trial could be significantly better. */
  readonly small: readonly { readonly name: string; readonly queries: number }[]
  readonly trials: readonly TrialHealth[]
}

export interface TrialHealth {
  readonly id: string
  readonly name: string
  /** Share of queries with the highest possible value; null without one. */
  readonly ceiling: number | null
  /**
   * Share of queries whose value depends on tie order, and the mean in the worst and the best order; null for token
   * budgets.
   */
  readonly ties: { readonly share: number; readonly worst: number; readonly best: number } | null
  /** Unjudged share of the first `k` per query; null if no label is judged not relevant. */
  readonly unjudged: { readonly k: number; readonly share: number } | null
  /** Primary mean with unjudged results left out (as bpref does), and taken as relevant. */
  readonly bounds?: { readonly condensed: number; readonly relevant: number }
}

export interface IndexSummary {
  readonly name: string
  readonly prepare: Json
  readonly counts: Readonly<Record<string, number>>
}

/** `manifest.json`. `result` is the hash of everything but timings and machine. */
export interface Manifest {
  readonly format: Format
  readonly version: string
  readonly result: string
  readonly plan: string
  /** SHA-256 of each result file; empty over several datasets. */
  readonly files: Readonly<Record<string, string>>
  /** SHA-256 of `experiment.yaml`, which holds absolute paths and is not part of the result. */
  readonly experiment: string | null
  /** SHA-256 of the user's config file. */
  readonly config: string
  /** Absolute path of the config file's folder; `compare` resolves paths against it. */
  readonly folder: string
  readonly dataset: string
  /** From a hub: the commit of each repository and SHA-256 of each file. */
  readonly downloads?: readonly {
    readonly name: string
    readonly sources: readonly { readonly repo: string; readonly commit: string }[]
    readonly files: Readonly<Record<string, string>>
  }[]
  readonly artifacts: Readonly<Record<string, string>>
  /** Engines with versions, and the trials that search there. */
  readonly engines?: Readonly<Record<string, readonly string[]>>
  /** Computations by step. If not `exact`, `planned` is the maximum. `computed` excludes reused rows. */
  readonly steps: {
    readonly planned: Readonly<Record<string, number>>
    readonly exact: boolean
    readonly computed: Readonly<Record<string, number>>
  }
  readonly machine: Readonly<Record<string, string>>
}

export interface Estimate {
  readonly mean: number
  /** Interval at the experiment's level; null for non-finalists of a large grid and for one query. */
  readonly low: number | null
  readonly high: number | null
  readonly n: number
}

export interface ComparisonSummary {
  readonly measure: string
  /** Id of a trial, or `tuned:<strategy>`. */
  readonly baseline: string
  readonly level: number
  readonly correction: string
  readonly family: string
  /** Margin of equivalence; null if not asked. */
  readonly margin: number | null
  readonly draws: number
  /** Names of rows without a verdict: routers fitted in folds learn from the queries that score them. */
  readonly untested?: readonly string[]
  /** Clusters by which queries were sampled (`compare.cluster`). */
  readonly cluster?: string
  readonly rows: readonly ComparedRow[]
  /**
   * Ids of rows not distinguishable from the best, best first (Hsu's comparisons with the best); null without a test.
   * With more than `MAX_RANKED` rows, only the best of each strategy are compared.
   */
  readonly close: readonly string[] | null
}

export interface ComparedRow extends Omit<Comparison, 'strata'> {
  readonly id: string
  /** Differences by dataset; `verdict` is of the dataset's own test, null if untested there. */
  readonly datasets: readonly (Comparison['strata'][number] & { readonly verdict: Verdict | null })[]
}

/** Answers to the questions: a row for each answerer and finalist. No trial was chosen by them. */
export interface AnswersSummary {
  /** Columns of `answers.parquet` that score answers; means over the questions that count. */
  readonly measures: readonly { readonly name: string; readonly better: 'higher' | 'lower' }[]
  /** Measures that a language model takes; absent without any. */
  readonly judges?: readonly JudgeSummary[]
  readonly primary: string
  readonly rows: readonly AnsweredRow[]
  /** Comparisons by answerer, each with its row over the baseline trial; null if there is nothing to compare. */
  readonly comparisons: Readonly<Record<string, ComparisonSummary | null>>
  /** The other answerers against the first, over the baseline trial. */
  readonly answerers?: ComparisonSummary
}

export interface AnsweredRow {
  readonly id: string
  /** Null for answers without retrieval. */
  readonly trial: { readonly id: string; readonly name: string } | null
  readonly answerer: string
  readonly measures: Readonly<Record<string, Estimate>>
  /** Means per question; `sent` are tokens of the context. */
  readonly perQuery: Readonly<Record<'sent' | 'modelCalls' | 'inputTokens' | 'outputTokens', number>>
  /** Dollars per question; absent if no row has any, null if a price is unknown. */
  readonly dollars?: number | null
  /** Mean recorded seconds; absent without any. */
  readonly seconds?: number
  /** Questions whose tokens are estimated: the server gave no plausible count. */
  readonly estimated: number
  /** Completions cut at `maxTokens`. */
  readonly cut: number
  /** Questions without an answer, with the first reasons. */
  readonly failed: number
  readonly failures: readonly { readonly query: string; readonly message: string }[]
}

export interface JudgeSummary {
  readonly name: string
  /** Calls for all rows and labels; a completion shared by two verdicts counts twice. */
  readonly modelCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly estimated: number
  readonly cut: number
  /** Answers without a verdict, with the first reasons. They do not count. */
  readonly failed: number
  readonly failures: readonly { readonly query: string; readonly message: string }[]
  readonly agreement?: JudgeAgreement
}

/** Agreement of a judge with labels; 0.5 or more is yes. */
export interface JudgeAgreement {
  /** Labelled answers with a verdict. */
  readonly n: number
  /** Share with the same verdict. */
  readonly share: Estimate
  /** Cohen's kappa; null if both are constant. */
  readonly kappa: number | null
}

/** Means per query of calls to models of known price. */
export interface CallCost {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly dollars: number
}

/** Price of a language model in dollars per million tokens. */
export interface PricingSummary {
  readonly model: string
  readonly input: number
  readonly output: number
  readonly date: string | null
  /** The vendor's page, or `the config`. */
  readonly source: string
  /** Mean tokens of a question with its instruction, without chunks and evidence. */
  readonly promptTokens: number
}
