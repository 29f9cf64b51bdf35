import type { Experiment } from '../../config/experiment.ts'
import type { CompiledTrial } from './compile.ts'

/** Duplicates in the config, by the trial that is computed. */
export function equalTrials(
  { trials }: Pick<Experiment, 'trials'>,
  compiled: readonly CompiledTrial[],
): { readonly name: string; readonly equal: readonly string[] }[] {
  const names = new Map(trials.map(({ id, name }) => [id, name]))
  return compiled
    .filter(({ merged }) => merged.length > 0)
    .map(({ name, merged }) => ({ name, equal: merged.map((id) => names.get(id) ?? id) }))
}

/** `96 trials: 12 duplicates, 84 to compute`; empty without duplicates. */
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
