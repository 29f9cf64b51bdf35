import { sep } from 'node:path'
import { indexedTexts, units } from '../../corpus/chunks/units.ts'
import { chunkSpans } from '../../corpus/corpus.ts'
import { embeddedAs } from '../../corpus/dense/embeddings.ts'
import { extraction } from '../../corpus/graph/extraction.ts'
import { collectDiagnostics, type Diagnostic } from '../../errors.ts'
import { RefusedText } from '../../models/embedder.ts'
import { type Artifact, artifactsBelow } from '../../store/artifact.ts'
import type { Progress } from '../../types.ts'
import { keysBelow, stepsOf, withSeeds } from './compile.ts'
import { atConfig, graphsOf, type OpenExperiment } from './open.ts'

/**
 * Extracts graphs and checks params that need a prepared corpus (a step's `requires`). Throws a UserError with every
 * diagnostic. Returns the built artifacts.
 */
export async function requireParams(
  opened: readonly OpenExperiment[],
  progress?: Progress,
): Promise<Artifact<unknown>[]> {
  const built: Artifact<unknown>[] = []
  const diagnostics = collectDiagnostics()
  for (const open of opened) {
    const { trials, store, dataset } = open
    const extracted = await diagnostics.attemptAsync(() => prepareExtractions(open, progress))
    if (!extracted) continue
    built.push(...extracted)
    const read = keysBelow(open.artifacts)
    const isPreparable = (artifact: Artifact<unknown>) =>
      artifactsBelow([artifact]).every(({ asks, key }) => !asks || read.has(key))
    const over = opened.length > 1 ? ` (${dataset.name})` : ''
    for (const trial of withSeeds(trials)) {
      const name = trial.sha256 === undefined ? trial.strategy : trial.name
      for (const { step, recipe, params } of stepsOf([trial])) {
        const required = step.requires?.(recipe, params)
        if (!required || !isPreparable(required)) continue
        await diagnostics.attemptAsync(
          async () => {
            built.push(...(await store.prepare(required, progress)))
            await store.open(required)
          },
          // A file's own diagnostic concerns no param.
          (diagnostic) =>
            diagnostic.file
              ? diagnostic
              : { ...trial.location, message: `${name}: ${diagnostic.message}${over}` },
        )
      }
    }
  }
  diagnostics.throwIfAny()
  return built
}

/** Extracts the graphs before more expensive work. Errors have their location in the config. */
async function prepareExtractions(open: OpenExperiment, progress?: Progress): Promise<Artifact<unknown>[]> {
  const built: Artifact<unknown>[] = []
  const diagnostics = collectDiagnostics()
  for (const { recipe, locations } of graphsOf(open)) {
    const locationOf = ({ file = '' }: Diagnostic) =>
      locations.graph[
        (recipe.graph ?? []).findIndex(
          ({ params: { path }, file: custom }) =>
            file === path || file.startsWith(`${path}${sep}`) || file === custom?.path,
        )
      ]
    const prepared = await diagnostics.attemptAsync(
      () => open.store.prepare(extraction(recipe), progress),
      (diagnostic) => atConfig(diagnostic, locationOf(diagnostic)),
    )
    built.push(...(prepared ?? []))
  }
  diagnostics.throwIfAny()
  return built
}

/** Checks params, then builds missing artifacts. Returns the built ones. */
export async function prepareAll(open: OpenExperiment, progress?: Progress): Promise<Artifact<unknown>[]> {
  return [...(await requireParams([open], progress)), ...(await buildMissing(open, progress))]
}

/** Builds missing artifacts of checked params (`requireParams`). Returns the built ones. */
export async function buildMissing(open: OpenExperiment, progress?: Progress): Promise<Artifact<unknown>[]> {
  const { store, artifacts } = open
  const built: Artifact<unknown>[] = []
  // Existing ones may have lost their content in an engine.
  for (const artifact of [...store.missing(artifacts), ...artifacts])
    try {
      built.push(...(await store.prepare(artifact, progress)))
    } catch (error) {
      if (!(error instanceof RefusedText)) throw error
      const { position, text, reason } = error
      throw new RefusedText(position, text, reason, await ownerOf(open, artifact, error))
    }
  // Searching opens other artifacts than building.
  await store.close()
  return built
}

/** `chunk d3#0` or a query for a refused text; undefined for texts of entities. */
async function ownerOf(
  { store, recipes, dataset }: OpenExperiment,
  artifact: Artifact<unknown>,
  { position, text }: RefusedText,
): Promise<string | undefined> {
  const isRefused = (refused: string | undefined) => refused !== undefined && text.endsWith(refused)
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
