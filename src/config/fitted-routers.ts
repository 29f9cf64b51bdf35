import { intentsOf } from '../retrieve/router/intents.ts'
import { isFitted } from '../retrieve/router/rules.ts'
import type { FittedRouter, Trial, Tuning } from './experiment.ts'
import { innerNames, matchInner, pathTo } from './inner-trials.ts'
import { attempt, type Path, type Problem } from './reading.ts'
import type { KnownTrials, PlacedTrial } from './trials.ts'

/**
 * Takes the fitted routers out of the trials. They choose among trials after these have run. `baseline` is the config's.
 */
export function takeRouters(
  known: KnownTrials,
  tuning: Tuning,
  baseline: string | undefined,
  problems: Problem[],
): { known: KnownTrials; routers: FittedRouter[] } {
  const fitted = known.placed.filter(({ trial }) => isFitted(trial))
  if (fitted.length === 0) return { known, routers: [] }
  const placed = known.placed.filter(({ trial }) => !isFitted(trial))
  const names = new Set(placed.flatMap(({ trial }) => [trial.name, trial.strategy]))
  const all = known.placed.map(({ trial }) => trial)
  for (const one of known.placed) refuseArms(one, all, problems)
  if (fitted.some(({ trial }) => trial.name === baseline))
    problems.push({
      path: ['compare', 'baseline'],
      message: `\`${baseline}\` is a fitted router; a baseline is a trial, or a strategy of trials`,
    })
  const routers = fitted.map((one) => {
    check(one, tuning, problems)
    const { name } = one.trial
    if (names.has(name)) problems.push({ path: one.path, message: `another row has the name \`${name}\`` })
    names.add(name)
    const trials = placed.map(({ trial }) => trial)
    const arms = innerNames(one.trial).flatMap(({ name, at }) =>
      matchInner(name, one.trial, trials)
        .slice(0, 1)
        .map(({ id }) => ({ name: String(at[1]), trial: id })),
    )
    const intents = attempt(() => intentsOf(one.trial.params.by), pathTo(one, ['by']), problems)
    return { name, arms, ...(intents && { intents }) }
  })
  return { known: { ...known, placed }, routers }
}

function check(placed: PlacedTrial, tuning: Tuning, problems: Problem[]): void {
  const { trial } = placed
  const at = (path: Path) => pathTo(placed, path)
  if (tuning.kind === 'none')
    problems.push({
      path: at(['rules']),
      message: '`fitted` needs `folds` or `split`: it is fitted on other queries than it is judged on',
    })
  const inner = innerNames(trial)
  if (inner.length < 2)
    problems.push({
      path: inner.length === 0 ? at(['rules']) : at(['arms']),
      message:
        'a fitted router needs two `arms` or more, each the name of a trial: {words: bm25, dense: naive}',
    })
  for (const [index, { name, at: path }] of inner.entries())
    if (inner.findIndex((other) => other.name === name) < index)
      problems.push({ path: at(path), message: `names \`${name}\` twice` })
  if (trial.params.names !== undefined)
    problems.push({
      path: at(['names']),
      message: '`names` is for rules with `found`; a fitted router has no rules',
    })
  for (const key of ['before', 'after', 'filter', 'engine', 'language'] as const)
    if (key === 'before' || key === 'after' ? trial[key].length > 0 : trial[key])
      problems.push({
        path: [...placed.path, key],
        message: `a fitted router has no \`${key}\`; give it to its arms`,
      })
}

/** Refuses arms that are fitted routers, or over another variant of `prepare`. */
function refuseArms(placed: PlacedTrial, trials: readonly Trial[], problems: Problem[]): void {
  for (const { name, at } of innerNames(placed.trial)) {
    const [found] = matchInner(name, placed.trial, trials)
    if (found && found !== placed.trial && isFitted(found))
      problems.push({
        path: pathTo(placed, at),
        message: `\`${name}\` is a fitted router, which is made after the run; name a trial`,
      })
    if (found && isFitted(placed.trial) && found.recipe !== placed.trial.recipe)
      problems.push({
        path: pathTo(placed, at),
        message: `\`${name}\` is over the first variant of \`prepare\`; a fitted router needs arms of one`,
      })
  }
}
