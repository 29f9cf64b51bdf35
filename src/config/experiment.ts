import type { Choice, Recipe } from '../corpus/recipe.ts'
import type { SampleSettings } from '../dataset/types.ts'
import type { Diagnostic } from '../errors.ts'
import type { Download } from '../hub/open.ts'
import type { Price } from '../models/prices.ts'
import type { Policies } from '../retrieve/router/intents.ts'
import type { TrialEngine } from '../retrieve/steps/engine.ts'
import type { TrialFilter } from '../retrieve/steps/filter.ts'
import type { Correction } from '../statistics/compare.ts'
import type { Json } from '../types.ts'
import type { ConfigLocation } from './reading.ts'

/**
 * A resolved config: defaults filled in, paths absolute, grids expanded. Plain data, for workers and `experiment.yaml`.
 */
export interface Experiment {
  readonly name: string
  /** Absolute. */
  readonly file: string
  /** Distinct names (`splitDatasets` separates them). A choice's name is its format; its `path` is absolute. */
  readonly datasets: readonly Choice[]
  readonly sample?: SampleSettings
  readonly downloads?: readonly Omit<Download, 'folder'>[]
  /** Variants of `prepare`; a trial names one by index. */
  readonly recipes: readonly RecipeChoices[]
  /** Locations of each recipe's choices, by key of `prepare`. Part of no hash. */
  readonly recipeLocations: readonly Readonly<Record<string, readonly ConfigLocation[]>>[]
  readonly models: Readonly<Record<string, Choice>>
  readonly rerankers: Readonly<Record<string, Choice>>
  readonly engines: Readonly<Record<string, Choice>>
  /** Locations of models and rerankers. Part of no hash. */
  readonly modelLocations: Readonly<Record<string, ConfigLocation>>
  readonly budget: Budget | null
  readonly trials: readonly Trial[]
  /** Fitted after the trials have run. */
  readonly routers: readonly FittedRouter[]
  readonly only?: readonly string[]
  /** Number of ranks that are scored. */
  readonly depth: number
  readonly context: { readonly top: number }
  readonly answering: readonly Answering[]
  readonly judging: readonly Judging[]
  /** As metrics print them: `recall@5`. */
  readonly measures: readonly string[]
  readonly metrics: readonly CustomMetric[]
  readonly tuning: Tuning
  readonly compare: Compare
  /** Absent if one trial has the baseline's name. */
  readonly baselineGroup?: BaselineGroup
  readonly latency: { readonly queries: number; readonly repeats: number } | null
  readonly prices: Price | null
  readonly seed: number
  /** Part of no hash and no result. */
  readonly track?: { readonly mlflow: string }
  /** The config in full, without `track`, paths absolute. Loads to the same experiment. */
  readonly resolved: Json
}

export interface Budget {
  readonly dollars?: number
  /** Input and output together. */
  readonly tokens?: number
  /** Counted anew in every run. */
  readonly minutes?: number
  readonly failedRequests?: number
}

export interface Answering {
  /** Unique: the answerer and what varies (`llm top=3`). */
  readonly name: string
  readonly choice: Choice
  readonly content: Json
}

export interface Judging {
  /** Unique; also the name of its measure. */
  readonly name: string
  readonly choice: Choice
  readonly content: Json
}

export interface CustomMetric {
  readonly name: string
  readonly path: string
  readonly sha256: string
}

export type RecipeChoices = Omit<
  Recipe,
  'documents' | 'dataset' | 'ownDocument' | 'models' | 'rerankers' | 'engines'
>

/** A strategy at one point of its params, with transforms, over one recipe. */
export interface Trial {
  /** Hash (16 hex digits) of the content and the recipe, without the name. */
  readonly id: string
  /** Unique: as given, else the strategy and what varies (`hybrid alpha=0.3 fusion=rrf`). */
  readonly name: string
  /** Name in the registry, or absolute path of a file. */
  readonly strategy: string
  readonly sha256?: string
  readonly params: Readonly<Record<string, Json>>
  /**
   * Varied values in the order of the name: params, `chunk`, `embedder`, `filter`, `engine`, `language`, `before`,
   * `after`, or a param of one of these as `chunk.size`.
   */
  readonly varied: Readonly<Record<string, Json>>
  readonly filter?: TrialFilter
  readonly engine?: TrialEngine
  /** Language of its lexical search; default: its recipe's. */
  readonly language?: Choice
  /** First applied first. */
  readonly before: readonly Choice[]
  readonly after: readonly Choice[]
  /** Index in `recipes`. */
  readonly recipe: number
  /** Trials that differ only in params called `seed`; the row is the mean over all. */
  readonly seeds?: readonly Trial[]
  /** Part of no hash. */
  readonly location: ConfigLocation
}

export interface FittedRouter {
  /** Unique among routers, trials and strategies. */
  readonly name: string
  readonly arms: readonly { readonly name: string /** Its id. */; readonly trial: string }[]
  /** Kinds of questions to choose by, instead of features. */
  readonly intents?: Policies
}

export type Tuning =
  | { readonly kind: 'none' }
  | { readonly kind: 'folds'; readonly folds: number; readonly seed: number }
  | { readonly kind: 'split'; readonly dev: number; readonly seed: number }

/** Trials of the baseline's name that differ only in `prepare`: one baseline if they rank alike, otherwise an error. */
export interface BaselineGroup {
  readonly ids: readonly string[]
  readonly error: Diagnostic
}

export interface Compare {
  readonly by: string
  /** The measure or judge of answers by which these are compared; absent where nobody says. */
  readonly answers?: string
  readonly baseline: string
  readonly named: boolean
  readonly level: number
  readonly correction: Correction
  readonly family: Family
  /** Differences whose whole interval is within plus or minus this are equivalent, where asked; in the measure's unit. */
  readonly margin?: number
  /** `gold`, `document`, `category`, or a field of the metadata; absent without clusters. */
  readonly cluster?: string
  readonly draws: number
  readonly seed: number
}

/** Default of `budget.failedRequests`. */
export const FAILED_REQUESTS = 0.05

/** Compared rows: each strategy's best trial with the baseline, all trials with it, or every pair of at most 20. */
export const FAMILIES = ['best-per-strategy', 'all', 'pairs'] as const
type Family = (typeof FAMILIES)[number]
