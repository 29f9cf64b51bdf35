import type { Experiment } from '../../config/experiment.ts'
import { innerNames, matchInner } from '../../config/inner-trials.ts'
import { UserError } from '../../errors.ts'
import { didYouMean } from '../../text/nearest.ts'

/**
 * Keeps the trials of these strategies or names (`--only`). Throws a UserError for an unknown name, and if the baseline
 * or an inner trial would be dropped.
 */
export function keepOnly(experiment: Experiment, names: readonly string[]): Experiment {
  const { trials, routers, compare } = experiment
  const known = [
    ...new Set([
      ...trials.flatMap(({ strategy, name }) => [strategy, name]),
      ...routers.flatMap(({ name }) => ['router', name]),
    ]),
  ]
  const diagnostics = names
    .filter((name) => !known.includes(name))
    .map((name) => ({
      message: `--only: there is no strategy or trial \`${name}\` in the config${didYouMean(name, known)}`,
    }))
  if (diagnostics.length > 0) throw new UserError(diagnostics)
  const kept = trials.filter(({ strategy, name }) => names.includes(strategy) || names.includes(name))
  if (!kept.some(({ id }) => id === compare.baseline)) {
    const baseline = trials.find(({ id }) => id === compare.baseline)?.name
    throw new UserError(
      `--only leaves out the baseline \`${baseline}\`; name it too, or choose another with --set compare.baseline=NAME`,
    )
  }
  const left = kept.flatMap((trial) =>
    innerNames(trial)
      .filter(({ name }) => matchInner(name, trial, kept).length === 0)
      .map(({ name }) => ({
        message: `--only leaves out \`${name}\`, which \`${trial.name}\` reads; name it too`,
      })),
  )
  const fitted = routers.filter(({ name }) => names.includes('router') || names.includes(name))
  for (const router of fitted)
    for (const arm of router.arms.filter(({ trial }) => !kept.some(({ id }) => id === trial)))
      left.push({
        message: `--only leaves out the arm \`${arm.name}\` of \`${router.name}\`; name its trial too`,
      })
  if (left.length > 0) throw new UserError(left)
  return { ...experiment, trials: kept, routers: fitted, only: names }
}
