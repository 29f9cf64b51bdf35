import type { Experiment } from '../../config/experiment.ts'
import type { CompiledTrial } from './compile.ts'

/** Trials of the config that compute the same as another, by name of the trial that is computed. */
export function equalTrials(
  { trials }: Pick<Experiment, 'trials'>,
  compiled: readonly CompiledTrial[],
): { readonly name: string; readonly equal: readonly string[] }[] {
  const names = new Map(trials.map(({ id, name }) => [id, name]))
  return compiled
    .filter(({ merged }) => merged.length > 0)
    .map(({ name, merged }) => ({ name, equal: merged.map((id) => names.get(id) ?? id) }))
}

/** Text such as `96 trials: 12 duplicates, 84 to compute`; empty if all differ. */
export function mergedInWords(
  experiment: Pick<Experiment, 'trials'>,
  compiled: readonly CompiledTrial[],
): string[] {
  const equal = experiment.trials.length - compiled.length
  if (equal === 0) return []
  return [
    `${experiment.trials.length} trials: ${equal} ${equal === 1 ? 'duplicate' : 'duplicates'}, ${compiled.length} to compute`,
  ]
}
