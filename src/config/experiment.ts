import type { Choice } from '../corpus/recipe.ts'
import type { SampleSettings } from '../dataset/types.ts'
import type { Diagnostic } from '../errors.ts'
import type { Download } from '../hub/open.ts'
import type { Price } from '../models/prices.ts'
import type { Policies } from '../retrieve/router/intents.ts'
import type { TrialEngine } from '../retrieve/steps/engine.ts'
import type { TrialFilter } from '../retrieve/steps/trial.ts'
import type { Json } from '../types.ts'
import type { RecipeChoices } from './prepare.ts'
import type { ConfigLocation } from './reading.ts'
import type { RawConfig } from './schema.ts'

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
  readonly answering: readonly NamedChoice[]
  readonly judging: readonly NamedChoice[]
  /** As metrics print them: `recall@5`. */
  readonly measures: readonly string[]
  readonly metrics: readonly CustomMetric[]
  readonly tuning: Tuning
  readonly compare: Compare
  /** Absent if one trial has the baseline's name. */
  readonly baselineGroup?: BaselineGroup
  readonly latency: Exclude<RawConfig['latency'], false> | null
  readonly prices: Price | null
  readonly seed: number
  /** Part of no hash and no result. */
  readonly track?: RawConfig['track']
  /** The config in full, without `track`, paths absolute. Loads to the same experiment. */
  readonly resolved: Json
}

export type Budget = NonNullable<RawConfig['budget']>

/** An answerer or a judge at one point of its grid. */
export interface NamedChoice {
  /** Unique: the choice and what varies (`llm top=3`). The measure of a judge has this name. */
  readonly name: string
  readonly choice: Choice
  /** For hashes. */
  readonly content: Json
}

export interface CustomMetric {
  readonly name: string
  readonly path: string
  readonly sha256: string
}

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

/** `compare` with every default; `baseline` is a trial's id. */
export interface Compare extends Omit<RawConfig['compare'], 'baseline'> {
  readonly by: string
  readonly baseline: string
  /** True if the config names the baseline; otherwise it is the first trial. */
  readonly named: boolean
  readonly seed: number
}
