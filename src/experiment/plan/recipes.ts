import type { Experiment, RecipeChoices } from '../../config/experiment.ts'
import { loadParts } from '../../config/parts.ts'
import { PREPARE, type Preparation } from '../../config/prepare.ts'
import { documentsTable } from '../../corpus/corpus.ts'
import type { Choice, Chosen, Recipe } from '../../corpus/recipe.ts'
import type { Definition } from '../../registry.ts'
import type { Document } from '../../types.ts'
import { filesOf, loadEach } from './registries.ts'

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
  for (const [key, { custom: own }] of Object.entries<Preparation>(PREPARE)) {
    const here = choices[key as keyof RecipeChoices] as Choice | readonly Choice[] | undefined
    if (!here || !own) continue
    const byPath = await loadEach(filesOf([here].flat()), own)
    const withDefinition = (choice: Choice): Chosen<Definition> =>
      choice.file ? { ...choice, definition: byPath.get(choice.file.path) } : choice
    chosen[key] = 'name' in here ? withDefinition(here) : here.map(withDefinition)
  }
  return chosen as object as RecipeChoices
}
