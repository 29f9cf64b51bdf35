import { sep } from 'node:path'
import type { Experiment } from '../../config/experiment.ts'
import type { ConfigLocation } from '../../config/reading.ts'
import { extraction } from '../../corpus/graph/extraction.ts'
import { extractors } from '../../corpus/graph/extractors/index.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import type { WithoutDocuments } from '../../dataset/without-documents.ts'
import { type Diagnostic, UserError } from '../../errors.ts'
import { resolve } from '../../registry.ts'
import { type Artifact, artifactsBelow } from '../../store/artifact.ts'
import type { Store } from '../../store/store.ts'
import type { Document, Progress } from '../../types.ts'

/** Parts of an open experiment that concern graphs. */
export interface OpenGraphs {
  readonly experiment: Pick<Experiment, 'recipeLocations'>
  readonly dataset: WithoutDocuments
  readonly recipes: readonly Recipe[]
  readonly store: Store
  readonly artifacts: readonly Artifact<unknown>[]
}

/** Checks the extractors' files against the documents before anything is built. Errors and warnings, each once. */
export async function checkExtractions(
  { experiment, recipes, artifacts }: Pick<OpenGraphs, 'experiment' | 'recipes' | 'artifacts'>,
  documents: readonly Document[],
): Promise<{ readonly diagnostics: Diagnostic[]; readonly notices: string[] }> {
  const diagnostics: Diagnostic[] = []
  const notices = new Set<string>()
  for (const { recipe, locations } of graphsOf(experiment.recipeLocations, recipes, artifacts)) {
    for (const [index, choice] of (recipe.graph ?? []).entries()) {
      const { definition: extractor, params } = resolve(extractors, choice)
      try {
        for (const notice of (await extractor.check?.(documents, params)) ?? []) notices.add(notice)
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        diagnostics.push(...error.diagnostics.map((diagnostic) => located(diagnostic, locations[index])))
      }
    }
  }
  return { diagnostics: distinct(diagnostics), notices: [...notices] }
}

/** Extracts the graphs before more expensive work. An invalid file is reported at its location in the config. */
export async function prepareExtractions(
  { experiment, recipes, store, artifacts }: OpenGraphs,
  progress?: Progress,
): Promise<Artifact<unknown>[]> {
  const built: Artifact<unknown>[] = []
  const diagnostics: Diagnostic[] = []
  for (const { recipe, locations } of graphsOf(experiment.recipeLocations, recipes, artifacts)) {
    try {
      built.push(...(await store.prepare(extraction(recipe), progress)))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      const locationOf = ({ file = '' }: Diagnostic) =>
        locations[
          (recipe.graph ?? []).findIndex(
            ({ params: { path }, file: own }) =>
              file === path || file.startsWith(`${path}${sep}`) || file === own?.path,
          )
        ]
      diagnostics.push(...error.diagnostics.map((diagnostic) => located(diagnostic, locationOf(diagnostic))))
    }
  }
  if (diagnostics.length > 0) throw new UserError(distinct(diagnostics))
  return built
}

/** Recipes whose graph is read, each with the locations of its extractors. */
function graphsOf(
  locations: Experiment['recipeLocations'],
  recipes: readonly Recipe[],
  artifacts: readonly Artifact<unknown>[],
): { recipe: Recipe; locations: readonly ConfigLocation[] }[] {
  const read = new Set(artifactsBelow(artifacts).map(({ key }) => key))
  return recipes.flatMap((recipe, index) =>
    recipe.graph?.length && read.has(extraction(recipe).key)
      ? [{ recipe, locations: locations[index].graph }]
      : [],
  )
}

/** Moves a diagnostic of a whole file to the config line that names the file; a diagnostic of a line stays there. */
function located(diagnostic: Diagnostic, location: ConfigLocation | undefined): Diagnostic {
  const { file, line, message } = diagnostic
  return !location || line !== undefined
    ? diagnostic
    : { ...location, message: file ? `${file} ${message}` : message }
}

function distinct(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values()]
}
