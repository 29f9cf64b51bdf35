import type { Choice, Recipe } from '../corpus/recipe.ts'
import type { Price } from '../models/prices.ts'
import type { Policies } from '../retrieve/router/intents.ts'
import type { TrialFilter } from '../retrieve/steps/filter.ts'
import type { Correction } from '../statistics/correction.ts'
import type { Json } from '../types.ts'
import type { SlurmSettings } from './executor.ts'
import type { ConfigLocation } from './reading.ts'

/**
 * What a config says, resolved: defaults filled in, paths absolute, grids expanded. Plain data, so that it can be sent
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
  /** The variants of `prepare`, one where nothing in it varies. A trial names its recipe by index. */
  readonly recipes: readonly RecipeChoices[]
  /** Where the config names each recipe's choices, by key of `prepare`, in their order: for messages, part of no key. */
  readonly recipeLocations: readonly Readonly<Record<string, readonly ConfigLocation[]>>[]
  /** The language models by the config's name for each. */
  readonly models: Readonly<Record<string, Choice>>
  /** The rerankers by the config's name for each. */
  readonly rerankers: Readonly<Record<string, Choice>>
  /** The file of recorded answers that stands for asking them, absolute; null where they are asked. */
  readonly recording: string | null
  /** Where the config names each model and each reranker, for messages. */
  readonly modelLocations: Readonly<Record<string, ConfigLocation>>
  /** What all answers of the experiment together may take; null where nobody says. */
  readonly budget: Budget | null
  /** The share of requests to language models that may fail. */
  readonly failedRequests: number
  readonly trials: readonly Trial[]
  /** What is made of trials after they have run. */
  readonly routers: readonly FittedRouter[]
  /** Where one factor is varied at a time: how many trials the full product would have. */
  readonly product?: number
  /** What `--only` kept of the config's trials, where it was given. */
  readonly only?: readonly string[]
  /** How many chunks of a trial's ranking are kept and scored. */
  readonly depth: number
  /** What is sent for an answer: the first chunks of a ranking, with its evidence. */
  readonly context: { readonly top: number }
  /** How the finalists' questions are answered; none where they are not. */
  readonly answering: readonly Answering[]
  /** What else their answers are measured by. */
  readonly judging: readonly Judging[]
  /** As the metrics parse and print them: `recall@5`. */
  readonly measures: readonly string[]
  /** The metrics among them that are files of the user's own. */
  readonly metrics: readonly CustomMetric[]
  readonly tuning: Tuning
  readonly compare: Compare
  /** Null where every trial runs on every query. */
  readonly race: Race | null
  /** Null where nothing is to be timed. */
  readonly latency: { readonly queries: number; readonly repeats: number } | null
  /** Where shards run; null for this machine. Part of no result. */
  readonly executor: { readonly slurm: SlurmSettings } | null
  /** What turns tokens into dollars; null where nothing is to be priced. */
  readonly prices: Price | null
  readonly seed: number
  /** How often a stochastic trial is run, with seeds of its own each time. */
  readonly repeats: number
  /** The same config in its full form, paths absolute: written as `experiment.yaml`, it loads to the same experiment. */
  readonly resolved: Json
}

/** Where asking models stops; at least one of them. */
export interface Budget {
  readonly dollars?: number
  /** Read and written. */
  readonly tokens?: number
  /** Of one run. */
  readonly minutes?: number
}

/** One way of writing answers, at one point of its grid. */
export interface Answering {
  /** Unique among these: the answerer and what varies (`llm top=3`). */
  readonly name: string
  readonly choice: Choice
  /** What decides its answers, as a hash may see it. */
  readonly content: Json
}

/** One judge of answers, at one point of its grid. */
export interface Judging {
  /** Unique among these, and the name of its measure (`faithfulness`). */
  readonly name: string
  readonly choice: Choice
  /** What decides its verdicts, as a hash may see it. */
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

/** What `prepare` says: all of a Recipe (src/corpus/recipe.ts) but the corpus and the models. */
export type RecipeChoices = Omit<
  Recipe,
  'documents' | 'dataset' | 'ownDocument' | 'models' | 'recording' | 'rerankers'
>

/** One strategy with one point of its params, what stands before and after it, over one recipe. */
export interface Trial {
  /** A hash (16 hex digits) of the content below and of its recipe; the name does not count. */
  readonly id: string
  /** Unique: as given, else the strategy and what varies (`hybrid alpha=0.3 fusion=rrf`). */
  readonly name: string
  /** A name in the registry, or the absolute path of a file that holds a strategy. */
  readonly strategy: string
  /** Where `strategy` is a file: the SHA-256 of its bytes. */
  readonly sha256?: string
  /** Every param, defaults filled in. */
  readonly params: Readonly<Record<string, Json>>
  /**
   * What the config varies, in the order of the name: params by name, `chunk`, `embedder`, `filter`, `before`, `after`, or a
   * param of one of these as `chunk.size`.
   */
  readonly varied: Readonly<Record<string, Json>>
  /** Which chunks its searches see; all where absent. */
  readonly filter?: TrialFilter
  /** Query transforms, first applied first. */
  readonly before: readonly Choice[]
  /** Ranking transforms, first applied first. */
  readonly after: readonly Choice[]
  /** Index in the experiment's `recipes`. */
  readonly recipe: number
  /** Where the config names it, for messages: part of no key. */
  readonly location: ConfigLocation
}

/** A router that chooses among trials, fitted on other queries than it is judged on (`rules: fitted`). */
export interface FittedRouter {
  /** Unique among these, the trials and the strategies. */
  readonly name: string
  readonly arms: readonly { readonly name: string /** Its id. */; readonly trial: string }[]
  /** Kinds of questions that it chooses by, where it does not choose by features. */
  readonly intents?: Policies
}

/** On which queries trials are chosen and on which they are judged. */
export type Tuning =
  | { readonly kind: 'none' }
  | { readonly kind: 'folds'; readonly folds: number; readonly seed: number }
  | { readonly kind: 'split'; readonly dev: number; readonly seed: number }

export interface Compare {
  /** The primary measure: one of `measures`. */
  readonly by: string
  /** The measure or judge of answers by which these are compared; absent where nobody says. */
  readonly answers?: string
  /** A trial's id. */
  readonly baseline: string
  /** Significance level, 0 to 1. */
  readonly level: number
  readonly correction: Correction
  readonly family: Family
  /** Differences whose whole interval is within plus or minus this are equivalent, where asked; in the measure's unit. */
  readonly margin?: number
  /** Queries that are sampled together: `gold`, `document`, `category`, or a field of their metadata; absent where each is alone. */
  readonly cluster?: string
  /** Draws of the randomization test. */
  readonly draws: number
  readonly seed: number
}

/** Trials stop that are ruled out as the winner, after rounds of queries. */
export interface Race {
  /** How likely the winner may be stopped, 0 to 1; at 0 nothing stops. */
  readonly level: number
  /** Queries of the first round. */
  readonly firstTest: number
  /** Every round has its share of each: `category`, or a field of the queries' metadata; null for none. */
  readonly blocks: string | null
  /** Of the order in which queries run. */
  readonly seed: number
  /** Where the config names them, for messages: part of no key. */
  readonly locations: { readonly firstTest: ConfigLocation; readonly blocks: ConfigLocation }
}

/** The share of requests to language models that may fail if a config does not say. */
export const FAILED_REQUESTS = 0.05

/** Who is compared: each strategy's best trial to the baseline, all trials to the baseline, or every two of at most 20. */
export const FAMILIES = ['best-per-strategy', 'all', 'pairs'] as const
export type Family = (typeof FAMILIES)[number]
