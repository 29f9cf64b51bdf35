import { basename, dirname } from 'node:path'
import { answerers } from '../../answer/answerers/index.ts'
import type { Experiment } from '../../config/experiment.ts'
import { indexedTexts, units } from '../../corpus/chunks/units.ts'
import { chunkSpans, textUnits } from '../../corpus/corpus.ts'
import { embeddedAs } from '../../corpus/dense/embeddings.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import type { RunFile, RunTable } from '../../corpus/run-table.ts'
import { checkJudgedChunks } from '../../dataset/check-chunks.ts'
import type { Reading } from '../../dataset/format.ts'
import { loadDataset } from '../../dataset/load.ts'
import { sampleQueries } from '../../dataset/sample.ts'
import { type WithoutDocuments, withoutDocuments } from '../../dataset/without-documents.ts'
import { collectDiagnostics, type Diagnostic, UserError } from '../../errors.ts'
import type { CompletionRecording } from '../../models/completions/recording.ts'
import { RefusedText } from '../../models/embedder.ts'
import { resolve } from '../../registry.ts'
import { expressionsOf } from '../../retrieve/step.ts'
import { isOfTexts, readRecorded } from '../../runs/recorded.ts'
import { readTrajectories } from '../../runs/trajectories.ts'
import { type Artifact, artifactsBelow } from '../../store/artifact.ts'
import { openStore, type Store } from '../../store/store.ts'
import type { Document, Progress } from '../../types.ts'
import {
  artifactsOf,
  type CompiledTrial,
  comparedStrategy,
  compileTrials,
  rootsOf,
  trialIndex,
  withSeeds,
} from './compile.ts'
import { checkExtractions } from './extractions.ts'
import { queryErrors } from './query-errors.ts'
import { queryVectors } from './query-vectors.ts'
import { recipesOf } from './recipes.ts'
import { loadRegistries } from './registries.ts'
import { requireParams } from './require-params.ts'
import { joinedScopes, withScope } from './scope.ts'

/** Checked and compiled config with one dataset; nothing is built or written. */
export interface OpenExperiment {
  readonly experiment: Experiment
  readonly dataset: WithoutDocuments
  readonly recipes: readonly Recipe[]
  readonly trials: readonly CompiledTrial[]
  readonly store: Store
  /** Artifacts that trials and scoring read. */
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
  const artifacts = new Map<string, Artifact<unknown>>()
  const wanted = [...recipes.map(textUnits), ...artifactsOf(all), ...queryVectors(all, dataset.queries)]
  for (const artifact of wanted) artifacts.set(artifact.key, artifact)
  const store = openStore(storeRoot)
  const open = {
    experiment: withChoices(scoped, trials),
    dataset,
    recipes,
    trials,
    store,
    artifacts: [...artifacts.values()],
  }
  const { diagnostics: wrong, notices } = await checkExtractions(open, loaded.documents)
  if (wrong.length > 0) throw new UserError(wrong)
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

/** One trial alone, for asking questions. */
export function openOne(open: OpenExperiment, trial: CompiledTrial): OpenExperiment {
  const { recipe } = trial.ranking
  const artifacts = [textUnits(recipe), ...artifactsOf([trial])]
  return { ...open, recipes: [recipe], trials: [{ ...trial, seeds: [] }], artifacts }
}

/** Hands the documents out once; later callers load them again. */
function handOut(documents: readonly Document[] | undefined, again: () => Promise<readonly Document[]>) {
  let held = documents
  const letGo = () => {
    const given = held
    held = undefined
    return given
  }
  return { letGo, take: async () => letGo() ?? again() }
}

/** Throws a UserError if a dataset has fewer queries than a run needs: one, or one per fold. */
export function requireQueries({ experiment, dataset }: OpenExperiment): void {
  const { file, tuning } = experiment
  const fail = (message: string) => new UserError({ file, message })
  if (dataset.queries.length === 0)
    throw fail(
      `the dataset ${dataset.name} has no queries, so it can be prepared and asked, but not run; \`touchstone questions draft\` drafts some`,
    )
  const judged = dataset.queries.filter(
    ({ id, answerable }) => answerable && (dataset.qrels.has(id) || dataset.spans.has(id)),
  ).length
  if (tuning.kind === 'folds' && tuning.folds > judged)
    throw fail(
      `folds: ${tuning.folds} are more than the ${judged} judged queries of ${dataset.name}; take fewer folds`,
    )
}

/** Throws a UserError if gold, runs or answers do not fit the prepared corpora, with the diagnostics of all. */
export async function requireFit(opened: readonly OpenExperiment[]): Promise<void> {
  const diagnostics = collectDiagnostics()
  for (const open of opened) {
    await diagnostics.attemptAsync(() => requireJudgedChunks(open))
    await diagnostics.attemptAsync(() => requireMatchingRuns(open))
    diagnostics.attempt(() => requireKnownAnswers(open))
  }
  diagnostics.throwIfAny()
}

async function requireJudgedChunks({ dataset, recipes, store }: OpenExperiment): Promise<void> {
  if (dataset.judgedUnit !== 'chunk') return
  for (const recipe of recipes) checkJudgedChunks(dataset, await store.open(chunkSpans(recipe)))
}

/** Reads run files without preparing. Throws a UserError with all errors; returns sentences on how they were read. */
export async function checkRunFiles({ dataset, trials }: OpenExperiment): Promise<string[]> {
  const files = new Map<string, RunFile>()
  for (const { step } of expressionsOf(rootsOf(trials)))
    if (step.recorded) files.set(JSON.stringify(step.recorded), step.recorded)
  const lines: string[] = []
  if (files.size === 0) return lines
  const { linesOf, readRun } = await import('../../runs/read.ts')
  const diagnostics = collectDiagnostics()
  for (const { path: file, isTrajectory } of files.values()) {
    if (isTrajectory) {
      const trajectories = diagnostics.attempt(() => readTrajectories(file))
      if (trajectories && !dataset.queries.some(({ id }) => trajectories.has(id)))
        diagnostics.add(noneOf(dataset, file))
      continue
    }
    if (isOfTexts(file)) {
      const records = diagnostics.attempt(() => readRecorded(file, 'contexts'))
      if (records && !dataset.queries.some(({ text }) => records.has(text.trim())))
        diagnostics.add(noneOf(dataset, file))
      continue
    }
    const run = await diagnostics.attemptAsync(() => readRun(file))
    if (!run) continue
    lines.push(...linesOf(run).map((line) => `${basename(file)}: ${line}`))
    if (!dataset.queries.some(({ id }) => run.value.queries.has(id))) diagnostics.add(noneOf(dataset, file))
  }
  diagnostics.throwIfAny()
  return lines
}

function noneOf({ name }: WithoutDocuments, file: string): Diagnostic {
  return {
    file,
    message: `holds none of the queries of ${name}: are the ${isOfTexts(file) ? 'texts of the questions' : 'query ids'} the same?`,
  }
}

/** Throws a UserError for each file of answers to none of the questions. */
export function requireKnownAnswers({ experiment, dataset }: OpenExperiment): void {
  const wrong = experiment.answering.flatMap(({ choice }): Diagnostic[] => {
    const { definition, params } = resolve(answerers, choice)
    const records = definition.make(params).records
    if (!records || dataset.queries.some(({ text }) => records.has(text.trim()))) return []
    const message = `holds none of the questions of ${dataset.name}: \`query\` must be the text of a question`
    return [{ file: String(params.path), message }]
  })
  if (wrong.length > 0) throw new UserError(wrong)
}

/** Throws a UserError for each prepared run without any of the queries. */
async function requireMatchingRuns({ dataset, trials, store }: OpenExperiment): Promise<void> {
  const diagnostics: Diagnostic[] = []
  for (const { step, artifacts } of expressionsOf(rootsOf(trials))) {
    if (!step.recorded) continue
    const { artifact, path } = step.recorded
    const table = (await store.open(artifacts[artifact])) as RunTable
    if (!table.answers(dataset.queries)) diagnostics.push(noneOf(dataset, path))
  }
  if (diagnostics.length > 0) throw new UserError(diagnostics)
}

/** Checks params, then builds missing artifacts. Returns the built ones. */
export async function prepareAll(open: OpenExperiment, progress?: Progress): Promise<Artifact<unknown>[]> {
  return [...(await requireParams([open], progress)), ...(await buildMissing(open, progress))]
}

/** Builds missing artifacts of checked params (`requireParams`). Returns the built ones. */
export async function buildMissing(open: OpenExperiment, progress?: Progress): Promise<Artifact<unknown>[]> {
  const { store, artifacts } = open
  const built: Artifact<unknown>[] = []
  const missing = store.missing(artifacts)
  const causeOf = missing.length > 0 ? causesOf(open.trials) : () => ''
  // Existing ones may have lost their content in an engine.
  for (const artifact of [...missing, ...artifacts])
    try {
      const cause = causeOf(artifact)
      const tell: Progress = (what, done, total) => progress?.(`${what}${cause}`, done, total)
      built.push(...(await store.prepare(artifact, tell)))
    } catch (error) {
      if (!(error instanceof RefusedText)) throw error
      const { position, text, reason } = error
      throw new RefusedText(position, text, reason, await ownerOf(open, artifact, error))
    }
  // Searching opens other artifacts than building.
  await store.close()
  return built
}

/** ' for hipporag' if only one strategy reads the artifact, for its progress. */
function causesOf(trials: readonly CompiledTrial[]): (artifact: Artifact<unknown>) => string {
  const strategies = [...new Set(trials.map(({ strategy }) => strategy))]
  const readers = new Map<string, string[]>()
  for (const strategy of strategies) {
    const read = artifactsOf(trials.filter((trial) => trial.strategy === strategy))
    for (const { key } of artifactsBelow(read)) readers.set(key, [...(readers.get(key) ?? []), strategy])
  }
  return ({ key }) => {
    const [strategy, ...others] = readers.get(key) ?? []
    return strategies.length > 1 && strategy && others.length === 0 ? ` for ${strategy}` : ''
  }
}

/** `chunk d3#0` or a query for a refused text; undefined for texts of entities. */
async function ownerOf(
  { store, recipes, dataset }: OpenExperiment,
  artifact: Artifact<unknown>,
  { position, text }: RefusedText,
): Promise<string | undefined> {
  const isRefused = (own: string | undefined) => own !== undefined && text.endsWith(own)
  if (embeddedAs(artifact) === 'queries')
    return isRefused(dataset.queries[position]?.text) ? `query ${dataset.queries[position].id}` : undefined
  for (const recipe of recipes) {
    if (store.missing([indexedTexts(recipe)]).length > 0) continue
    if (!isRefused((await store.open(indexedTexts(recipe)))[position])) continue
    const parts = units(recipe)
    const row = parts ? (await store.open(parts)).parents[position] : position
    return `chunk ${(await store.open(chunkSpans(recipe)))[row].id}`
  }
  return undefined
}
