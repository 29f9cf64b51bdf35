import { armsOf, isFitted, readRules } from '../retrieve/router/rules.ts'
import { didYouMean } from '../text/nearest.ts'
import type { Trial } from './experiment.ts'
import { type Matchable, matchTrials, namesOf } from './names.ts'
import { PREPARE } from './prepare.ts'
import { attempt, type Path, type Problem } from './reading.ts'
import { type KnownTrials, mayBeUnread, type PlacedTrial } from './trials.ts'

/** A trial named by another, with its place in the params: `['of', 1]`. */
interface Reference {
  readonly name: string
  readonly at: Path
}

/** Trials that a trial reads: arms of a router, members of a fusion. */
export function innerNames({ strategy, params }: Pick<Trial, 'strategy' | 'params'>): Reference[] {
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

/** Trials that others may name: the first seed of each row in each recipe. */
export function nameableTrials(trials: readonly Trial[]): Trial[] {
  return trials.flatMap((trial) =>
    [trial, ...(trial.seeds ?? [])].filter(
      ({ recipe }, index, all) => all.findIndex((one) => one.recipe === recipe) === index,
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
export function checkInner(known: KnownTrials, problems: Problem[]): void {
  const trials = nameableTrials(known.placed.map(({ trial }) => trial))
  for (const placed of known.placed) {
    const { trial } = placed
    if (trial.strategy === 'router' && !isFitted(trial)) checkArms(placed, problems)
    for (const { name, at } of innerNames(trial)) {
      const path = pathTo(placed, at)
      const [found, ...others] = matchInner(name, trial, trials)
      if (!found && !mayBeUnread(name, known)) {
        const names = trials.map((one) => one.name)
        const rest = trials.filter((one) => one !== trial)
        const there = rest.length > 0 ? `; there are ${namesOf(rest)}` : ''
        problems.push({ path, message: `there is no trial \`${name}\`${didYouMean(name, names)}${there}` })
      } else if (others.length > 0) {
        const shown = [found, ...others].slice(0, 5).map((one) => `\`${withoutPrepare(one)}\``)
        const more = others.length >= 5 ? ', ...' : ''
        const message = `\`${name}\` is ${others.length + 1} trials; name one: ${shown.join(', ')}${more}`
        problems.push({ path, message })
      } else if (found) {
        const back = chainTo(trial, found, trials, new Set())
        if (back?.length === 1) problems.push({ path, message: `\`${name}\` is this trial itself` })
        else if (back)
          problems.push({
            path,
            message: `leads back to this trial: ${[trial, ...back].map(withoutPrepare).join(' -> ')}`,
          })
      }
    }
  }
}

/** Trials from `from` to `target` along the names, both included; undefined if none leads there. */
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

export function pathTo({ path, paramPaths, trial }: PlacedTrial, [param, ...below]: Path): Path {
  return [...(paramPaths[param] ?? [...path, trial.strategy, param]), ...below]
}

function checkArms(placed: PlacedTrial, problems: Problem[]): void {
  const { trial } = placed
  const rules = attempt(() => readRules(String(trial.params.rules)), pathTo(placed, ['rules']), problems)
  const arms = rules && armsOf(rules)
  for (const arm of Object.keys(trial.params.arms ?? {}))
    if (arms && !arms.includes(arm))
      problems.push({
        path: pathTo(placed, ['arms', arm]),
        on: 'key',
        message: `no rule leads to the arm \`${arm}\`${didYouMean(arm, arms)}; there are ${arms.join(', ')}`,
      })
}
