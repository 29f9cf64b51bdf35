import { type Diagnostic, UserError } from '../../errors.ts'
import { expressionsOf } from '../../retrieve/step.ts'
import { type Artifact, artifactsBelow } from '../../store/artifact.ts'
import type { Progress } from '../../types.ts'
import { type CompiledTrial, rootsOf } from './compile.ts'
import { type OpenGraphs, prepareExtractions } from './extractions.ts'

/**
 * Extracts the graphs that are read and checks the params that need a prepared corpus (a step's `requires`), over all `opened`.
 * Prepares only what that needs. Throws a UserError with every diagnostic at its location in the config. Returns the built
 * artifacts.
 */
export async function requireParams(
  opened: readonly (OpenGraphs & { readonly trials: readonly CompiledTrial[] })[],
  progress?: Progress,
): Promise<Artifact<unknown>[]> {
  const built: Artifact<unknown>[] = []
  const diagnostics = new Map<string, Diagnostic>()
  const collect = (error: unknown, placed = (diagnostic: Diagnostic) => diagnostic) => {
    if (!(error instanceof UserError)) throw error
    for (const diagnostic of error.diagnostics.map(placed))
      diagnostics.set(JSON.stringify(diagnostic), diagnostic)
    return undefined
  }
  for (const open of opened) {
    const { trials, store, dataset } = open
    const extracted = await prepareExtractions(open, progress).catch((error) => collect(error))
    if (!extracted) continue
    built.push(...extracted)
    const read = new Set(artifactsBelow(open.artifacts).map(({ key }) => key))
    // Artifacts that wait for completions are skipped.
    const isPreparable = (artifact: Artifact<unknown>) =>
      artifactsBelow([artifact]).every(({ asks, key }) => !asks || read.has(key))
    const over = opened.length > 1 ? ` (${dataset.name})` : ''
    for (const trial of trials) {
      const own = trial.sha256 === undefined ? trial.strategy : trial.name
      for (const { step, recipe, params } of expressionsOf(rootsOf([trial]))) {
        const required = step.requires?.(recipe, params)
        if (!required || !isPreparable(required)) continue
        try {
          built.push(...(await store.prepare(required, progress)))
          await store.open(required)
        } catch (error) {
          // A diagnostic with a file of its own does not concern a param.
          collect(error, (diagnostic) =>
            diagnostic.file
              ? diagnostic
              : { ...trial.location, message: `${own}: ${diagnostic.message}${over}` },
          )
        }
      }
    }
  }
  if (diagnostics.size > 0) throw new UserError([...diagnostics.values()])
  return built
}
