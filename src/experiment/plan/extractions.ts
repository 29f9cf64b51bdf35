import { sep } from 'node:path'
import type { Experiment } from '../../config/experiment.ts'
import type { ConfigLocation } from '../../config/reading.ts'
import { type CommunityFinder, communityFinders } from '../../corpus/graph/communities/index.ts'
import { extraction } from '../../corpus/graph/extraction.ts'
import { extractors } from '../../corpus/graph/extractors/index.ts'
import { type ReportWriter, reportWriters } from '../../corpus/graph/reports/index.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import type { WithoutDocuments } from '../../dataset/types.ts'
import { collectDiagnostics, type Diagnostic } from '../../errors.ts'
import { resolve } from '../../registry.ts'
import { type Artifact, artifactsBelow } from '../../store/artifact.ts'
import type { Store } from '../../store/store.ts'
import type { Document, Progress } from '../../types.ts'

export interface OpenGraphs {
  readonly experiment: Pick<Experiment, 'recipeLocations'>
  readonly dataset: WithoutDocuments
  readonly recipes: readonly Recipe[]
  readonly store: Store
  readonly artifacts: readonly Artifact<unknown>[]
}

/** Checks the extractors' files against the documents. Errors and warnings, each once. */
export async function checkExtractions(
  { experiment, recipes, artifacts }: Pick<OpenGraphs, 'experiment' | 'recipes' | 'artifacts'>,
  documents: readonly Document[],
): Promise<{ readonly diagnostics: Diagnostic[]; readonly notices: string[] }> {
  const diagnostics = collectDiagnostics()
  const notices = new Set<string>()
  for (const { recipe, locations, all } of graphsOf(experiment.recipeLocations, recipes, artifacts)) {
    for (const [index, choice] of (recipe.graph ?? []).entries()) {
      const { definition: extractor, params } = resolve(extractors, choice)
      const found = await diagnostics.attemptAsync(
        async () => extractor.make(params).check?.(documents),
        (diagnostic) => located(diagnostic, locations[index]),
      )
      for (const notice of found ?? []) notices.add(notice)
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
        (diagnostic) => located(diagnostic, all[key]?.[0]),
      )
    }
  }
  return { diagnostics: diagnostics.all(), notices: [...notices] }
}

/** Extracts the graphs before more expensive work. Errors have their location in the config. */
export async function prepareExtractions(
  { experiment, recipes, store, artifacts }: OpenGraphs,
  progress?: Progress,
): Promise<Artifact<unknown>[]> {
  const built: Artifact<unknown>[] = []
  const diagnostics = collectDiagnostics()
  for (const { recipe, locations } of graphsOf(experiment.recipeLocations, recipes, artifacts)) {
    const locationOf = ({ file = '' }: Diagnostic) =>
      locations[
        (recipe.graph ?? []).findIndex(
          ({ params: { path }, file: custom }) =>
            file === path || file.startsWith(`${path}${sep}`) || file === custom?.path,
        )
      ]
    const prepared = await diagnostics.attemptAsync(
      () => store.prepare(extraction(recipe), progress),
      (diagnostic) => located(diagnostic, locationOf(diagnostic)),
    )
    built.push(...(prepared ?? []))
  }
  diagnostics.throwIfAny()
  return built
}

/** Recipes whose graph is read. */
function graphsOf(
  locations: Experiment['recipeLocations'],
  recipes: readonly Recipe[],
  artifacts: readonly Artifact<unknown>[],
): {
  recipe: Recipe
  locations: readonly ConfigLocation[]
  all: Readonly<Record<string, readonly ConfigLocation[]>>
}[] {
  const read = new Set(artifactsBelow(artifacts).map(({ key }) => key))
  return recipes.flatMap((recipe, index) =>
    recipe.graph?.length && read.has(extraction(recipe).key)
      ? [{ recipe, locations: locations[index].graph, all: locations[index] }]
      : [],
  )
}

/** Moves a whole file's diagnostic to the config line that names the file. */
function located(diagnostic: Diagnostic, location: ConfigLocation | undefined): Diagnostic {
  const { file, line, message } = diagnostic
  return !location || line !== undefined
    ? diagnostic
    : { ...location, message: file ? `${file} ${message}` : message }
}
