import { UserError } from '../errors.ts'
import { intentsOf } from '../retrieve/router/intents.ts'
import { armsOf, isFitted, readRules } from '../retrieve/router/rules.ts'
import { didYouMean } from '../text/nearest.ts'
import type { Experiment, FittedRouter, Trial, Tuning } from './experiment.ts'
import { type Matchable, matchTrials, namesOf } from './names.ts'
import { PREPARE } from './prepare.ts'
import { attempt, type Path, type Problem, refuse } from './reading.ts'
import { mayBeUnread, type PlacedTrial, type TrialEntry } from './trials.ts'

/** A trial named by another, with its place in the params: `['of', 1]`. */
interface Reference {
  readonly name: string
  readonly at: Path
}

function innerNames({ strategy, params }: Pick<Trial, 'strategy' | 'params'>): Reference[] {
  if (strategy === 'fuse') return (params.of as readonly string[]).map((name, i) => ({ name, at: ['of', i] }))
  if (strategy !== 'router') return []
  return Object.entries((params.arms ?? {}) as Record<string, string>).map(([arm, name]) => ({
    name,
    at: ['arms', arm],
  }))
}

/**
 * Trials that `name` may mean in `outer`: those of its recipe, and runs. So a name without `prepare` choices is one
 * trial in each variant.
 */
export function matchInner<T extends Matchable & Pick<Trial, 'recipe'>>(
  name: string,
  outer: Pick<Trial, 'recipe'>,
  trials: readonly T[],
): readonly T[] {
  const near = trials.filter(({ recipe, strategy }) => recipe === outer.recipe || strategy === 'run')
  const [first] = name.split(' ')
  const named = near.filter((trial) => trial.name.startsWith(first) && withoutPrepare(trial) === name)
  return named.length === 1 ? named : matchTrials(name, near)
}

export function nameableTrials(trials: readonly Trial[]): Trial[] {
  return trials.flatMap((trial) =>
    [trial, ...(trial.seeds ?? [])].filter(
      ({ recipe }, index, all) => all.findIndex((other) => other.recipe === recipe) === index,
    ),
  )
}

/** `naive pool=50` for `naive pool=50 embedder=lsa`. */
function withoutPrepare({ name }: Pick<Trial, 'name'>): string {
  const isOfPrepare = (word: string) => Object.hasOwn(PREPARE, word.replace(/[.=].*$/, ''))
  return name
    .split(' ')
    .filter((word) => !word.includes('=') || !isOfPrepare(word))
    .join(' ')
}

/** Checks the names in routers and fusions: each is one trial, each arm has a rule, and none leads back. */
export function checkInner(
  all: readonly PlacedTrial[],
  unread: readonly TrialEntry[],
  problems: Problem[],
): void {
  const trials = nameableTrials(all.map(({ trial }) => trial))
  for (const placed of all) {
    const { trial } = placed
    if (trial.strategy === 'router' && !isFitted(trial)) checkArms(placed, problems)
    for (const { name, at } of innerNames(trial)) {
      const path = pathTo(placed, at)
      const wrong = (message: string) => refuse(problems, path, message)
      const [match, ...others] = matchInner(name, trial, trials)
      if (!match && mayBeUnread(name, unread)) continue
      if (!match) {
        const names = trials.map((other) => other.name)
        const rest = trials.filter((other) => other !== trial)
        const there = rest.length > 0 ? `; there are ${namesOf(rest)}` : ''
        wrong(`there is no trial \`${name}\`${didYouMean(name, names)}${there}`)
      } else if (others.length > 0) {
        const shown = [match, ...others].slice(0, 5).map((other) => `\`${withoutPrepare(other)}\``)
        const more = others.length >= 5 ? ', ...' : ''
        wrong(`\`${name}\` is ${others.length + 1} trials; name one: ${shown.join(', ')}${more}`)
      } else {
        const back = chainTo(trial, match, trials, new Set())
        if (back?.length === 1) wrong(`\`${name}\` is this trial itself`)
        else if (back) wrong(`leads back to this trial: ${[trial, ...back].map(withoutPrepare).join(' -> ')}`)
      }
    }
  }
}

function chainTo(
  target: Trial,
  from: Trial,
  trials: readonly Trial[],
  seen: Set<string>,
): readonly Trial[] | undefined {
  if (from.id === target.id) return [from]
  if (seen.has(from.id)) return undefined
  seen.add(from.id)
  for (const { name } of innerNames(from)) {
    const [next, ...others] = matchInner(name, from, trials)
    const chain = next && others.length === 0 ? chainTo(target, next, trials, seen) : undefined
    if (chain) return [from, ...chain]
  }
  return undefined
}

function pathTo({ path, paramPaths, trial }: PlacedTrial, [param, ...below]: Path): Path {
  return [...(paramPaths[param] ?? [...path, trial.strategy, param]), ...below]
}

function checkArms(placed: PlacedTrial, problems: Problem[]): void {
  const { trial } = placed
  const rules = attempt(() => readRules(String(trial.params.rules)), pathTo(placed, ['rules']), problems)
  const arms = rules && armsOf(rules)
  for (const arm of Object.keys(trial.params.arms ?? {}))
    if (arms && !arms.includes(arm))
      refuse(
        problems,
        pathTo(placed, ['arms', arm]),
        `no rule leads to the arm \`${arm}\`${didYouMean(arm, arms)}; there are ${arms.join(', ')}`,
        'key',
      )
}

/**
 * Takes the fitted routers out of the trials. They choose among trials after these have run. `baseline` is the config's.
 */
export function takeRouters(
  all: readonly PlacedTrial[],
  tuning: Tuning,
  baseline: string | undefined,
  problems: Problem[],
): { readonly trials: readonly Trial[]; readonly routers: FittedRouter[] } {
  const fitted = all.filter(({ trial }) => isFitted(trial))
  const trials = all.map(({ trial }) => trial).filter((trial) => !isFitted(trial))
  if (fitted.length === 0) return { trials, routers: [] }
  const names = new Set(trials.flatMap(({ name, strategy }) => [name, strategy]))
  for (const placed of all)
    refuseArms(
      placed,
      all.map(({ trial }) => trial),
      problems,
    )
  if (fitted.some(({ trial }) => trial.name === baseline))
    refuse(
      problems,
      ['compare', 'baseline'],
      `\`${baseline}\` is a fitted router; a baseline is a trial, or a strategy of trials`,
    )
  const routers = fitted.map((router) => {
    check(router, tuning, problems)
    const { name } = router.trial
    if (names.has(name)) refuse(problems, router.path, `another row has the name \`${name}\``)
    names.add(name)
    const arms = innerNames(router.trial).flatMap(({ name, at }) =>
      matchInner(name, router.trial, trials)
        .slice(0, 1)
        .map(({ id }) => ({ name: String(at[1]), trial: id })),
    )
    const intents = attempt(() => intentsOf(router.trial.params.by), pathTo(router, ['by']), problems)
    return { name, arms, ...(intents && { intents }) }
  })
  return { trials, routers }
}

function check(placed: PlacedTrial, tuning: Tuning, problems: Problem[]): void {
  const { trial } = placed
  const wrong = (at: Path, message: string) => refuse(problems, pathTo(placed, at), message)
  if (tuning.kind === 'none')
    wrong(['rules'], '`fitted` needs `folds` or `split`: it is fitted on other queries than it is judged on')
  const inner = innerNames(trial)
  if (inner.length < 2)
    wrong(
      [inner.length === 0 ? 'rules' : 'arms'],
      'a fitted router needs two `arms` or more, each the name of a trial: {words: bm25, dense: naive}',
    )
  for (const [index, { name, at }] of inner.entries())
    if (inner.findIndex((other) => other.name === name) < index) wrong(at, `names \`${name}\` twice`)
  if (trial.params.names !== undefined)
    wrong(['names'], '`names` is for rules with `found`; a fitted router has no rules')
  for (const key of ['before', 'after', 'filter', 'engine', 'language'] as const)
    if (key === 'before' || key === 'after' ? trial[key].length > 0 : trial[key])
      refuse(problems, [...placed.path, key], `a fitted router has no \`${key}\`; give it to its arms`)
}

/** Refuses arms that are fitted routers, or over another variant of `prepare`. */
function refuseArms(placed: PlacedTrial, trials: readonly Trial[], problems: Problem[]): void {
  const { trial } = placed
  for (const { name, at } of innerNames(trial)) {
    const wrong = (reason: string) => refuse(problems, pathTo(placed, at), `\`${name}\` is ${reason}`)
    const [match] = matchInner(name, trial, trials)
    if (match && match !== trial && isFitted(match))
      wrong('a fitted router, which is made after the run; name a trial')
    if (match && isFitted(trial) && match.recipe !== trial.recipe)
      wrong('over the first variant of `prepare`; a fitted router needs arms of one')
  }
}

/**
 * Keeps the trials of these strategies or names (`--only`). Throws a UserError for an unknown name, and if the baseline
 * or an inner trial would be dropped.
 */
export function keepOnly(experiment: Experiment, names: readonly string[]): Experiment {
  const { trials, routers, compare } = experiment
  const rowNames = [
    ...new Set([
      ...trials.flatMap(({ strategy, name }) => [strategy, name]),
      ...routers.flatMap(({ name }) => ['router', name]),
    ]),
  ]
  const diagnostics = names
    .filter((name) => !rowNames.includes(name))
    .map((name) => ({
      message: `--only: there is no strategy or trial \`${name}\` in the config${didYouMean(name, rowNames)}`,
    }))
  if (diagnostics.length > 0) throw new UserError(diagnostics)
  const selected = trials.filter(({ strategy, name }) => names.includes(strategy) || names.includes(name))
  if (!selected.some(({ id }) => id === compare.baseline)) {
    const baseline = trials.find(({ id }) => id === compare.baseline)?.name
    throw new UserError(
      `--only leaves out the baseline \`${baseline}\`; name it too, or choose another with --set compare.baseline=NAME`,
    )
  }
  const left = selected.flatMap((trial) =>
    innerNames(trial)
      .filter(({ name }) => matchInner(name, trial, selected).length === 0)
      .map(({ name }) => ({
        message: `--only leaves out \`${name}\`, which \`${trial.name}\` reads; name it too`,
      })),
  )
  const fitted = routers.filter(({ name }) => names.includes('router') || names.includes(name))
  for (const router of fitted)
    for (const arm of router.arms.filter(({ trial }) => !selected.some(({ id }) => id === trial)))
      left.push({
        message: `--only leaves out the arm \`${arm.name}\` of \`${router.name}\`; name its trial too`,
      })
  if (left.length > 0) throw new UserError(left)
  return { ...experiment, trials: selected, routers: fitted, only: names }
}
