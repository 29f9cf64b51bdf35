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
 * A resolved config: defaults filled in, paths absolute, grids expanded. Plain data, so that it can be sent
 * to a worker and written to `experiment.yaml`.
 */
export interface Experiment {
  readonly name: string
  /** The config's path, absolute. */
  readonly file: string
  /**
   * One, or several of different names (`splitDatasets` cuts them apart). A choice's name is the format's (`beir`, ...),
   * `path` in its params is absolute.
   */
  readonly datasets: readonly Choice[]
  /** Sample of each dataset's queries; absent if all are run. */
  readonly sample?: SampleSettings
  /** Datasets and models that were downloaded by their names on a hub; absent if there are none. */
  readonly downloads?: readonly Omit<Download, 'folder'>[]
  /** The variants of `prepare`, one where nothing in it varies. A trial names its recipe by index. */
  readonly recipes: readonly RecipeChoices[]
  /** Locations of each recipe's choices by key of `prepare`, in their order. For messages only; part of no hash. */
  readonly recipeLocations: readonly Readonly<Record<string, readonly ConfigLocation[]>>[]
  /** The language models by the config's name for each. */
  readonly models: Readonly<Record<string, Choice>>
  /** The rerankers by the config's name for each. */
  readonly rerankers: Readonly<Record<string, Choice>>
  /** The external engines by the config's name for each. */
  readonly engines: Readonly<Record<string, Choice>>
  /** Location of each model and reranker in the config, for messages. */
  readonly modelLocations: Readonly<Record<string, ConfigLocation>>
  /** Limits of all model calls of the experiment together; null without a limit. */
  readonly budget: Budget | null
  readonly trials: readonly Trial[]
  /** Routers that are fitted after the trials have run. */
  readonly routers: readonly FittedRouter[]
  /** Names that `--only` kept, if it was given. */
  readonly only?: readonly string[]
  /** Number of ranks that are stored and scored. */
  readonly depth: number
  /** Number of first chunks that are sent for an answer, with the evidence. */
  readonly context: { readonly top: number }
  /** Answerers of the finalists; empty if nothing is answered. */
  readonly answering: readonly Answering[]
  /** Judges of their answers. */
  readonly judging: readonly Judging[]
  /** Measures as the metrics print them: `recall@5`. */
  readonly measures: readonly string[]
  /** Custom metrics among them. */
  readonly metrics: readonly CustomMetric[]
  readonly tuning: Tuning
  readonly compare: Compare
  /** Absent if one trial has the baseline's name. */
  readonly baselineGroup?: BaselineGroup
  /** Null if nothing is timed. */
  readonly latency: { readonly queries: number; readonly repeats: number } | null
  /** Price that turns tokens into dollars; null if nothing is priced. */
  readonly prices: Price | null
  readonly seed: number
  /** Address of the server that receives the results; absent without one. Part of no hash and no result. */
  readonly track?: { readonly mlflow: string }
  /** Config in its full form without `track`, paths absolute. Written as `experiment.yaml`, it loads to the same experiment. */
  readonly resolved: Json
}

/** Limits of model calls; at least one of them. */
export interface Budget {
  readonly dollars?: number
  /** Input and output tokens together. */
  readonly tokens?: number
  /** Minutes of model calls in one call of `touchstone run`. */
  readonly minutes?: number
  /** Share of requests that may fail. */
  readonly failedRequests?: number
}

/** One answerer, at one point of its grid. */
export interface Answering {
  /** Unique among these: the answerer and what varies (`llm top=3`). */
  readonly name: string
  readonly choice: Choice
  /** Content that decides its answers, for hashes. */
  readonly content: Json
}

/** One judge of answers, at one point of its grid. */
export interface Judging {
  /** Unique among these, and the name of its measure (`faithfulness`). */
  readonly name: string
  readonly choice: Choice
  /** Content that decides its scores, for hashes. */
  readonly content: Json
}

/** A metric that the config names by its file. */
export interface CustomMetric {
  readonly name: string
  /** Absolute. */
  readonly path: string
  /** SHA-256 of the file's bytes. */
  readonly sha256: string
}

/** Choices of `prepare`: a Recipe (src/corpus/recipe.ts) without corpus and models. */
export type RecipeChoices = Omit<
  Recipe,
  'documents' | 'dataset' | 'ownDocument' | 'models' | 'rerankers' | 'engines'
>

/** One strategy with one point of its params, transforms before and after it, over one recipe. */
export interface Trial {
  /** A hash (16 hex digits) of the content below and of its recipe; the name does not count. */
  readonly id: string
  /** Unique: as given, else the strategy and what varies (`hybrid alpha=0.3 fusion=rrf`). */
  readonly name: string
  /** A name in the registry, or the absolute path of a file that holds a strategy. */
  readonly strategy: string
  /** SHA-256 of the strategy's file, if it is custom. */
  readonly sha256?: string
  /** Every param, defaults filled in. */
  readonly params: Readonly<Record<string, Json>>
  /**
   * Values that the config varies, in the order of the name: params by name, `chunk`, `embedder`, `filter`, `engine`, `language`,
   * `before`, `after`, or a param of one of these as `chunk.size`.
   */
  readonly varied: Readonly<Record<string, Json>>
  /** Filter of the chunks that its searches see; all if absent. */
  readonly filter?: TrialFilter
  /** Engines in which it searches; in memory if absent. */
  readonly engine?: TrialEngine
  /** Language of its lexical search; that of its recipe if absent. */
  readonly language?: Choice
  /** Query transforms, first applied first. */
  readonly before: readonly Choice[]
  /** Ranking transforms, first applied first. */
  readonly after: readonly Choice[]
  /** Index in the experiment's `recipes`. */
  readonly recipe: number
  /** Trials that differ from this one only in params called `seed`; its row is the mean over all. Absent if there are none. */
  readonly seeds?: readonly Trial[]
  /** Location in the config, for messages; part of no hash. */
  readonly location: ConfigLocation
}

/** A router that chooses among trials, fitted on other queries than it is scored on (`rules: fitted`). */
export interface FittedRouter {
  /** Unique among these, the trials and the strategies. */
  readonly name: string
  readonly arms: readonly { readonly name: string /** Its id. */; readonly trial: string }[]
  /** Kinds of questions that it chooses by, where it does not choose by features. */
  readonly intents?: Policies
}

/** Split of the queries: those that trials are chosen on, and those that they are scored on. */
export type Tuning =
  | { readonly kind: 'none' }
  | { readonly kind: 'folds'; readonly folds: number; readonly seed: number }
  | { readonly kind: 'split'; readonly dev: number; readonly seed: number }

/** Trials with the baseline's name whose `prepare` choices alone differ: one baseline if they rank alike, an error otherwise. */
export interface BaselineGroup {
  readonly ids: readonly string[]
  /** Error if they do not rank alike. */
  readonly error: Diagnostic
}

export interface Compare {
  /** The primary measure: one of `measures`. */
  readonly by: string
  /** The measure or judge of answers by which these are compared; absent where nobody says. */
  readonly answers?: string
  /** A trial's id. */
  readonly baseline: string
  /** True if the config names the baseline; otherwise it is the first trial. */
  readonly named: boolean
  /** Significance level, 0 to 1. */
  readonly level: number
  readonly correction: Correction
  readonly family: Family
  /** Differences whose whole interval is within plus or minus this are equivalent, where asked; in the measure's unit. */
  readonly margin?: number
  /** Queries that are sampled together: `gold`, `document`, `category`, or a field of their metadata; absent where each is alone. */
  readonly cluster?: string
  /** Resamples of the bootstrap. */
  readonly draws: number
  readonly seed: number
}

/** The share of requests to language models that may fail if a config does not say. */
export const FAILED_REQUESTS = 0.05

/** Compared rows: each strategy's best trial with the baseline, all trials with it, or every pair of at most 20. */
export const FAMILIES = ['best-per-strategy', 'all', 'pairs'] as const
export type Family = (typeof FAMILIES)[number]
