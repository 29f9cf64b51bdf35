import type { Experiment } from '../../config/experiment.ts'
import { loadParts } from '../../config/parts.ts'
import { PREPARE, type Preparation, type RecipeChoices } from '../../config/prepare.ts'
import { documentsTable } from '../../corpus/corpus.ts'
import type { Choice, Chosen, Recipe } from '../../corpus/recipe.ts'
import { type CustomFile, type CustomKind, loadCustom } from '../../custom/load.ts'
import { customMetric, metricsWith } from '../../custom/metric.ts'
import type { Measure, Metric } from '../../metrics/define.ts'
import { parseMeasures } from '../../metrics/parse.ts'
import type { Definition } from '../../registry.ts'
import { customQueryTransform, customRankingTransform, customStrategy } from '../../retrieve/custom/kinds.ts'
import { type Strategy, strategies } from '../../retrieve/strategies/index.ts'
import { queryTransforms, rankingTransforms } from '../../retrieve/transforms/index.ts'
import type { Document } from '../../types.ts'
import type { Registries } from './compile.ts'

/** Throws a UserError if a custom metric's file has changed. */
export async function loadMeasures({ measures, metrics }: Experiment): Promise<Measure[]> {
  const customMetrics: Metric[] = []
  for (const { path, sha256 } of metrics) customMetrics.push(await loadCustom(path, customMetric, sha256))
  return parseMeasures(measures, { metrics: metricsWith(customMetrics) })
}

/** Built-in parts, and custom ones of `trials`. Throws a UserError if a file has changed. */
export async function loadRegistries({
  trials,
  engines,
}: Pick<Experiment, 'trials' | 'engines'>): Promise<Registries> {
  const customStrategies = trials.flatMap(({ strategy, sha256 }) =>
    sha256 ? [{ path: strategy, sha256 }] : [],
  )
  const before = trials.flatMap((trial) => filesOf(trial.before))
  const after = trials.flatMap((trial) => filesOf(trial.after))
  await loadParts({ trials, engines })
  return {
    strategies: new Map<string, Strategy>([
      ...strategies.byName,
      ...(await loadEach(customStrategies, customStrategy)),
    ]),
    before: new Map([...queryTransforms.byName, ...(await loadEach(before, customQueryTransform))]),
    after: new Map([...rankingTransforms.byName, ...(await loadEach(after, customRankingTransform))]),
  }
}

function filesOf(choices: readonly Choice[]): CustomFile[] {
  return choices.flatMap(({ file }) => file ?? [])
}

async function loadEach<D extends Definition>(
  files: readonly CustomFile[],
  kind: CustomKind<D>,
): Promise<Map<string, D>> {
  const byPath = new Map<string, D>()
  for (const { path, sha256 } of files)
    if (!byPath.has(path)) byPath.set(path, await loadCustom(path, kind, sha256))
  return byPath
}

/**
 * Recipes over one corpus. Calls `load` only if the store lacks the documents. Throws a UserError if a custom file has
 * changed.
 */
export async function recipesOf(
  experiment: Experiment,
  datasetHash: string,
  load: () => Promise<readonly Document[]>,
): Promise<Recipe[]> {
  await loadParts(experiment)
  const documents = documentsTable({ hash: datasetHash, load })
  const [{ params }] = experiment.datasets
  const ownDocument = params.ownDocument as Recipe['ownDocument']
  const { models, rerankers, engines } = experiment
  const loaded = await Promise.all(experiment.recipes.map(withDefinitions))
  return loaded.map((choices) => ({
    documents,
    models,
    rerankers,
    engines,
    ...choices,
    ...(ownDocument && { ownDocument }),
  }))
}

async function withDefinitions(choices: RecipeChoices): Promise<RecipeChoices> {
  const chosen: Record<string, unknown> = { ...choices }
  for (const [key, { custom: kind }] of Object.entries<Preparation>(PREPARE)) {
    const here = choices[key as keyof RecipeChoices] as Choice | readonly Choice[] | undefined
    if (!here || !kind) continue
    const byPath = await loadEach(filesOf([here].flat()), kind)
    const withDefinition = (choice: Choice): Chosen<Definition> =>
      choice.file ? { ...choice, definition: byPath.get(choice.file.path) } : choice
    chosen[key] = 'name' in here ? withDefinition(here) : here.map(withDefinition)
  }
  return chosen as object as RecipeChoices
}
