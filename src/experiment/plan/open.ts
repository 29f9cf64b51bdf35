import { dirname } from 'node:path'
import type { Experiment, Trial } from '../../config/experiment.ts'
import type { ConfigLocation } from '../../config/reading.ts'
import { textUnits } from '../../corpus/corpus.ts'
import { type Embeddings, embedTexts, givenTexts } from '../../corpus/dense/embeddings.ts'
import { fieldsOfQuery } from '../../corpus/filter.ts'
import { type CommunityFinder, communityFinders } from '../../corpus/graph/communities/index.ts'
import { extraction } from '../../corpus/graph/extraction.ts'
import { extractors } from '../../corpus/graph/extractors/index.ts'
import { type ReportWriter, reportWriters } from '../../corpus/graph/reports/index.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { fieldOf } from '../../dataset/clusters.ts'
import type { Reading } from '../../dataset/format.ts'
import { loadDataset } from '../../dataset/load.ts'
import { sampleQueries } from '../../dataset/sample.ts'
import { type Dataset, type WithoutDocuments, withoutDocuments } from '../../dataset/types.ts'
import { collectDiagnostics, type Diagnostic, distinctDiagnostics } from '../../errors.ts'
import type { CompletionRecording } from '../../models/completions/recorded.ts'
import { resolve } from '../../registry.ts'
import { type Artifact, artifactsBelow } from '../../store/artifact.ts'
import { openStore, type Store } from '../../store/store.ts'
import { didYouMean } from '../../text/nearest.ts'
import type { Document, JudgedQuery, Query } from '../../types.ts'
import {
  artifactsOf,
  type CompiledTrial,
  comparedStrategy,
  compileTrials,
  distinct,
  keysBelow,
  stepsOf,
  trialIndex,
  withSeeds,
} from './compile.ts'
import { loadRegistries, recipesOf } from './registries.ts'

/** Checked and compiled config with one dataset; nothing is built or written. */
export interface OpenExperiment {
  readonly experiment: Experiment
  readonly dataset: WithoutDocuments
  readonly recipes: readonly Recipe[]
  readonly trials: readonly CompiledTrial[]
  readonly store: Store
  readonly artifacts: readonly Artifact<unknown>[]
  /** Completions after `askAhead`; absent if no trial calls a model. */
  readonly answers?: CompletionRecording
}

/** Opens an experiment over one dataset (`splitDatasets`). */
export async function openExperiment(
  experiment: Experiment,
  storeRoot: string,
  reading: Reading = {},
): Promise<OpenExperiment> {
  if (experiment.datasets.length !== 1)
    throw new Error(`an experiment over ${experiment.datasets.length} datasets is opened one by one`)
  const diagnostics = collectDiagnostics()
  const registries = await loadRegistries(experiment)
  const load = async () => {
    const whole = await loadDataset(experiment.datasets[0], dirname(experiment.file), reading)
    return experiment.sample ? sampleQueries(whole, experiment.sample) : whole
  }
  const loaded = await diagnostics.attemptAsync(load)
  const corpus = handOut(loaded?.documents, async () => (await load()).documents)
  const scoped = loaded ? withScope(experiment, loaded) : experiment
  const recipes = await recipesOf(experiment, loaded?.documentsHash ?? '', corpus.take)
  const trials = diagnostics.attempt(() => compileTrials(scoped.trials, recipes, registries))
  const { baselineGroup: group } = experiment
  const baselines = new Set(group?.ids.map((id) => trialIndex(trials ?? [], id)).filter((at) => at >= 0))
  if (group && baselines.size > 1) diagnostics.add(group.error)
  if (loaded) diagnostics.add(...queryErrors(scoped, loaded))
  if (loaded?.scope !== undefined && trials) diagnostics.add(...joinedScopes(trials, loaded.scope))
  diagnostics.throwIfAny()
  if (!loaded || !trials) throw new Error('neither a result nor a diagnostic')
  const dataset = withoutDocuments(loaded)
  const all = withSeeds(trials)
  const wanted = [...recipes.map(textUnits), ...artifactsOf(all), ...queryVectors(all, dataset.queries)]
  const store = openStore(storeRoot)
  const open = {
    experiment: withChoices(scoped, trials),
    dataset,
    recipes,
    trials,
    store,
    artifacts: distinct(wanted),
  }
  const notices = await checkExtractions(open, loaded.documents)
  if (recipes.every(({ documents }) => store.has(documents))) corpus.letGo()
  return { ...open, dataset: { ...dataset, notices: [...dataset.notices, ...notices] } }
}

/** No folds if there is nothing to choose or fit. */
function withChoices(experiment: Experiment, trials: readonly CompiledTrial[]): Experiment {
  const strategies = trials.map(comparedStrategy)
  const canChoose = new Set(strategies).size < strategies.length || experiment.routers.length > 0
  return experiment.tuning.kind === 'folds' && !canChoose
    ? { ...experiment, tuning: { kind: 'none' } }
    : experiment
}

export function openOne(open: OpenExperiment, trial: CompiledTrial): OpenExperiment {
  const { recipe } = trial.ranking
  const artifacts = [textUnits(recipe), ...artifactsOf([trial])]
  return { ...open, recipes: [recipe], trials: [{ ...trial, seeds: [] }], artifacts }
}

/** Hands the documents out once; later callers load them again. */
function handOut(documents: readonly Document[] | undefined, again: () => Promise<readonly Document[]>) {
  let current = documents
  const letGo = () => {
    const released = current
    current = undefined
    return released
  }
  return { letGo, take: async () => letGo() ?? again() }
}

/** Vectors of the dataset's queries, prepared so that a worker opens a model only for rewritten texts. */
function queryVectors(
  trials: readonly CompiledTrial[],
  queries: readonly Pick<Query, 'text'>[],
): Artifact<Embeddings>[] {
  const texts = givenTexts(queries.map(({ text }) => text))
  return stepsOf(trials).flatMap(({ recipe, step, params }) => {
    const choice = step.embeds?.(recipe, params)
    return choice ? [embedTexts(recipe, 'queries', texts, choice, 'query')] : []
  })
}

/**
 * The experiment for a dataset with a scope: trials filter by it, unless they have a condition on the field or are runs;
 * the dataset's clusters apply.
 */
function withScope(experiment: Experiment, { scope, clusters }: Dataset): Experiment {
  if (scope === undefined) return experiment
  const scopeTrial = (trial: Trial): Trial => {
    if (trial.strategy === 'run') return trial
    const { where, statistics = 'corpus' } = trial.filter ?? {}
    return {
      ...trial,
      filter: { where: { [scope]: { query: scope }, ...where }, statistics },
      ...(trial.seeds && { seeds: trial.seeds.map(scopeTrial) }),
    }
  }
  const { trials, compare } = experiment
  return {
    ...experiment,
    trials: trials.map(scopeTrial),
    compare: clusters === undefined ? compare : { cluster: clusters, ...compare },
  }
}

const JOINED = ['graph', 'title_links', 'similar_chunks', 'tree_layer']

function joinedScopes(trials: readonly CompiledTrial[], scope: string): Diagnostic[] {
  const diagnostics = trials.flatMap((trial) =>
    stepsOf([trial]).flatMap(({ step, artifacts }) => {
      const joined = artifactsBelow(Object.values(artifacts)).find(({ name }) => JOINED.includes(name))
      if (!joined || !(step.within || step.channel)) return []
      const message = `\`${trial.strategy}\` finds chunks by one ${joined.name.replace('_', ' ')} over every \`${scope}\`, and a question searches only its own; take a dataset of one ${scope}`
      return [{ ...trial.location, message }]
    }),
  )
  return distinctDiagnostics(diagnostics)
}

/** Checks the extractors' files against the documents; returns warnings. */
async function checkExtractions(
  open: Omit<OpenExperiment, 'answers'>,
  documents: readonly Document[],
): Promise<string[]> {
  const diagnostics = collectDiagnostics()
  const notices = new Set<string>()
  for (const { recipe, locations } of graphsOf(open)) {
    for (const [index, choice] of (recipe.graph ?? []).entries()) {
      const { definition: extractor, params } = resolve(extractors, choice)
      const problems = await diagnostics.attemptAsync(
        async () => extractor.make(params).check?.(documents),
        (diagnostic) => atConfig(diagnostic, locations.graph[index]),
      )
      for (const notice of problems ?? []) notices.add(notice)
    }
    for (const [key, registry] of [
      ['communities', communityFinders],
      ['reports', reportWriters],
    ] as const) {
      const choice = recipe[key]
      if (!choice) continue
      const { definition, params } = resolve<CommunityFinder | ReportWriter>(registry, choice)
      await diagnostics.attemptAsync(
        async () => definition.make(params).check?.(),
        (diagnostic) => atConfig(diagnostic, locations[key]?.[0]),
      )
    }
  }
  diagnostics.throwIfAny()
  return [...notices]
}

/** Recipes whose graph is read, with the locations of their choices. */
export function graphsOf({ experiment, recipes, artifacts }: OpenExperiment) {
  const read = keysBelow(artifacts)
  return recipes.flatMap((recipe, index) => {
    const locations = experiment.recipeLocations[index]
    return recipe.graph?.length && read.has(extraction(recipe).key) ? [{ recipe, locations }] : []
  })
}

/** Moves a whole file's diagnostic to the config line that names the file. */
export function atConfig(diagnostic: Diagnostic, location: ConfigLocation | undefined): Diagnostic {
  const { file, line, message } = diagnostic
  return !location || line !== undefined
    ? diagnostic
    : { ...location, message: file ? `${file} ${message}` : message }
}

function queryErrors(
  { trials, compare, file }: Experiment,
  { queries }: Pick<Dataset, 'queries'>,
): Diagnostic[] {
  if (queries.length === 0) return []
  return [
    ...filterDiagnostics(trials, queries),
    ...clusterDiagnostics(compare.cluster, queries).map((message) => ({ file, message })),
  ]
}

function clusterDiagnostics(cluster: string | undefined, queries: readonly JudgedQuery[]): string[] {
  if (cluster === undefined || cluster === 'gold' || cluster === 'document') return []
  if (queries.some((query) => fieldOf(query, cluster) !== null)) return []
  const categories = queries.some(({ category }) => category !== null) ? ['category'] : []
  const clusterNames = ['gold', 'document', ...categories, ...fieldsOf(queries)]
  return [
    `\`compare.cluster\`: no query has \`${cluster}\`${didYouMean(cluster, clusterNames)}; there are ${clusterNames.join(', ')}`,
  ]
}

const FIELDLESS =
  '`filter` lacks `where`, which only a dataset of conversations may leave out; as `{where: {source: [manual, faq]}}`'

/** Fields that no query has: every query would get no results. */
function filterDiagnostics(trials: readonly Trial[], queries: readonly JudgedQuery[]): Diagnostic[] {
  const fields = fieldsOf(queries)
  const diagnostics = trials.flatMap(({ filter, location }) =>
    filter && Object.keys(filter.where).length === 0
      ? [{ ...location, message: FIELDLESS }]
      : (filter ? fieldsOfQuery(filter.where) : [])
          .filter((field) => !fields.includes(field))
          .map((field) => ({
            ...location,
            message: `\`filter\`: no query has \`${field}\` in its metadata${didYouMean(field, fields)}; ${fields.length > 0 ? `there are ${fields.join(', ')}` : 'they have none'}`,
          })),
  )
  return distinctDiagnostics(diagnostics)
}

function fieldsOf(queries: readonly JudgedQuery[]): string[] {
  return [...new Set(queries.flatMap(({ metadata }) => Object.keys(metadata)))].sort()
}
