import { collectDiagnostics } from '../../errors.ts'
import { expressionsOf } from '../../retrieve/step.ts'
import { type Artifact, artifactsBelow } from '../../store/artifact.ts'
import type { Progress } from '../../types.ts'
import { type CompiledTrial, rootsOf, withSeeds } from './compile.ts'
import { type OpenGraphs, prepareExtractions } from './extractions.ts'

/**
 * Extracts graphs and checks the params that need a prepared corpus (a step's `requires`), over all `opened`. Throws a
 * UserError with every diagnostic. Returns the built artifacts.
 */
export async function requireParams(
  opened: readonly (OpenGraphs & { readonly trials: readonly CompiledTrial[] })[],
  progress?: Progress,
): Promise<Artifact<unknown>[]> {
  const built: Artifact<unknown>[] = []
  const diagnostics = collectDiagnostics()
  for (const open of opened) {
    const { trials, store, dataset } = open
    const extracted = await diagnostics.attemptAsync(() => prepareExtractions(open, progress))
    if (!extracted) continue
    built.push(...extracted)
    const read = new Set(artifactsBelow(open.artifacts).map(({ key }) => key))
    const isPreparable = (artifact: Artifact<unknown>) =>
      artifactsBelow([artifact]).every(({ asks, key }) => !asks || read.has(key))
    const over = opened.length > 1 ? ` (${dataset.name})` : ''
    for (const trial of withSeeds(trials)) {
      const name = trial.sha256 === undefined ? trial.strategy : trial.name
      for (const { step, recipe, params } of expressionsOf(rootsOf([trial]))) {
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
