import type { Experiment } from '../../config/experiment.ts'
import { chunkSpans, documentIds, textUnits } from '../../corpus/corpus.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { UserError } from '../../errors.ts'
import type { Measure } from '../../metrics/define.ts'
import { readQueryClusters } from '../../results/row-values.ts'
import { openStore, type Store } from '../../store/store.ts'
import type { JudgedQuery } from '../../types.ts'
import { VERSION } from '../../version.ts'
import { type CompiledTrial, compileTrials } from '../plan/compile.ts'
import type { OpenExperiment } from '../plan/open.ts'
import { makePlan, type Plan, readPlan, type Shard, type StoredPlan, shardsOf } from '../plan/plan.ts'
import { loadMeasures, loadRegistries, recipesOf } from '../plan/registries.ts'
import { judgedUnits } from './judged-units.ts'
import { createLocator, type Locator, type ShardLabels } from './locate.ts'
import type { EarlierRows } from './parts.ts'
import { readQueries, readShardLabels, requireQuestions } from './questions.ts'
import { createRankedTexts, needsTexts, type RankedTexts } from './ranked-texts.ts'

/** State of a process that runs shards, opened from the experiment's folder and the store. */
export interface Session {
  readonly folder: string
  readonly plan: Plan
  readonly store: Store
  /** In id order. */
  readonly queries: readonly JudgedQuery[]
  /** Undefined without clusters. */
  readonly clusters: Int32Array | undefined
  readonly shards: readonly Shard[]
  readonly measures: readonly Measure[]
  readonly trials: readonly CompiledTrial[]
  /** Indexed by recipe. */
  readonly corpora: readonly Corpus[]
  readonly earlier?: EarlierRows
}

interface Corpus {
  readonly chunks: number
  readonly locator: Locator
  /** Indexed by query. */
  readonly labels: readonly ShardLabels[]
  /** 1 for each judged unit that has a chunk. */
  readonly indexed: Uint8Array
  /** Null without measures on texts. */
  readonly texts: RankedTexts | null
}

export async function openSession(folder: string): Promise<Session> {
  const plan = readPlan(folder)
  const { experiment, dataset } = plan
  const store = openStore(plan.store)
  const recipes = await recipesOf(experiment, dataset.documentsHash, unreachable)
  const registries = await loadRegistries(experiment)
  const trials = compileTrials(experiment.trials, recipes, registries)
  if (plan.version !== VERSION)
    throw new UserError(
      `was planned by version ${plan.version}, and this is ${VERSION}; run the config again with this one`,
      folder,
    )
  // A run file, a custom file or rules may have been edited.
  if (makePlan({ ...plan, trials }).hash !== plan.hash)
    throw new UserError('a file that its trials read was changed; run the config again', folder)
  return sessionOf(folder, plan, { store, recipes, trials })
}

export async function sessionOf(
  folder: string,
  plan: StoredPlan,
  { store, recipes, trials }: Pick<OpenExperiment, 'store' | 'recipes' | 'trials'>,
): Promise<Session> {
  requireQuestions(folder, plan.questions)
  const queries = await readQueries(folder)
  const corpora: Corpus[] = []
  const measures = await loadMeasures(plan.experiment)
  for (const recipe of recipes) corpora.push(await openCorpus(folder, store, recipe, plan, measures))
  const clusters = await readQueryClusters(folder, plan.experiment.compare)
  return { folder, plan, store, queries, clusters, shards: shardsOf(plan), measures, trials, corpora }
}

/** First chunks whose tokens are needed. */
function deepestContext({ top }: Experiment['context'], measures: readonly Measure[]): number {
  return Math.max(top, ...measures.flatMap(({ metric, k }) => (metric.needs === 'context' ? [k] : [])))
}

async function unreachable(): Promise<never> {
  throw new Error('a shard asked for the documents to be loaded again')
}

async function openCorpus(
  folder: string,
  store: Store,
  recipe: Recipe,
  plan: Plan,
  measures: readonly Measure[],
): Promise<Corpus> {
  const chunks = await store.open(chunkSpans(recipe))
  const documents = plan.dataset.judgedUnit === 'chunk' ? [] : await store.open(documentIds(recipe.documents))
  const { unitOf, indexed, placed } = judgedUnits(plan.dataset.judgedUnit, chunks, documents)
  const locator = createLocator(
    unitOf,
    indexed.length,
    Uint32Array.from(chunks, ({ tokens }) => tokens),
    deepestContext(plan.experiment.context, measures),
  )
  const labels = await readShardLabels(folder, plan.queries, placed)
  const texts = needsTexts(measures) ? createRankedTexts(measures, await store.open(textUnits(recipe))) : null
  return { chunks: chunks.length, locator, labels, indexed, texts }
}
