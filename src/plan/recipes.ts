import type { Experiment } from '../config/experiment.ts'
import { documentsTable } from '../prepare/corpus.ts'
import type { Recipe } from '../prepare/recipe.ts'
import type { Document } from '../types.ts'

/** The experiment's recipes over one corpus: `load` is called only where the documents are not in the store yet. */
export function recipesOf(
  experiment: Experiment,
  datasetHash: string,
  load: () => Promise<readonly Document[]>,
): Recipe[] {
  const documents = documentsTable({ hash: datasetHash, load })
  const dataset = experiment.datasets[0].params.path as string
  return experiment.recipes.map((choices) => ({ dataset, documents, ...choices }))
}
