import type { Experiment, Trial } from '../../config/experiment.ts'
import type { Dataset } from '../../dataset/types.ts'
import { type Diagnostic, distinctDiagnostics } from '../../errors.ts'
import { expressionsOf } from '../../retrieve/step.ts'
import { artifactsBelow } from '../../store/artifact.ts'
import { type CompiledTrial, rootsOf } from './compile.ts'

/**
 * The experiment for a dataset with a scope: trials filter by it, unless they have a condition on the field or are runs;
 * the dataset's clusters apply.
 */
export function withScope(experiment: Experiment, { scope, clusters }: Dataset): Experiment {
  if (scope === undefined) return experiment
  const scopeTrial = (trial: Trial): Trial => {
    if (trial.strategy === 'run') return trial
    const { where, statistics = 'corpus' } = trial.filter ?? {}
    return {
      ...trial,
      filter: { where: { [scope]: { query: scope }, ...where }, statistics },
      ...(trial.seeds && { seeds: trial.seeds.map(scopeTrial) }),
    }
  }
  const { trials, compare } = experiment
  return {
    ...experiment,
    trials: trials.map(scopeTrial),
    compare: clusters === undefined ? compare : { cluster: clusters, ...compare },
  }
}

/** Artifacts that join chunks of the whole corpus. */
const JOINED = ['graph', 'title_links', 'similar_chunks', 'tree_layer']

/** Errors of trials that find chunks by such artifacts. */
export function joinedScopes(trials: readonly CompiledTrial[], scope: string): Diagnostic[] {
  const diagnostics = trials.flatMap((trial) =>
    expressionsOf(rootsOf([trial])).flatMap(({ step, artifacts }) => {
      const joined = artifactsBelow(Object.values(artifacts)).find(({ name }) => JOINED.includes(name))
      if (!joined || !(step.within || step.channel)) return []
      const message = `\`${trial.strategy}\` finds chunks by one ${joined.name.replace('_', ' ')} over every \`${scope}\`, and a question searches only its own; take a dataset of one ${scope}`
      return [{ ...trial.location, message }]
    }),
  )
  return distinctDiagnostics(diagnostics)
}
