import { trialName } from '../../config/choices.ts'
import type { Experiment, Trial } from '../../config/experiment.ts'
import { matchInner, nameableTrials } from '../../config/inner-trials.ts'
import { PREPARE } from '../../config/prepare.ts'
import { type Choice, LacksPreparation, type Recipe } from '../../corpus/recipe.ts'
import { collectDiagnostics, type Diagnostic, UserError } from '../../errors.ts'
import { addTo } from '../../maps.ts'
import { type Expression, expressionsOf, sourceQuery } from '../../retrieve/step.ts'
import { searchInEngine } from '../../retrieve/steps/engine.ts'
import { filterRetrieved, leaveOutOwn, searchInLanguage } from '../../retrieve/steps/trial.ts'
import type { Inner, Strategy, StrategyOutput } from '../../retrieve/strategies/index.ts'
import type { QueryTransform, RankingTransform } from '../../retrieve/transforms/index.ts'
import { type Artifact, artifactsBelow } from '../../store/artifact.ts'
import type { Evidence, Json, Query, Ranking } from '../../types.ts'
import { stageNames } from './stages.ts'

export interface CompiledTrial extends Trial {
  readonly merged: readonly string[]
  /** Trials that differ only in seeds and compute something else. */
  readonly seeds: readonly CompiledTrial[]
  readonly ranking: Expression<Ranking>
  readonly evidence?: Expression<readonly Evidence[]>
  readonly sendsAll?: boolean
  readonly stages: readonly string[]
}

export interface Registries {
  readonly strategies: ReadonlyMap<string, Strategy>
  readonly before: ReadonlyMap<string, QueryTransform>
  readonly after: ReadonlyMap<string, RankingTransform>
}

/**
 * Builds the trials' expressions. Trials that compute the same are merged; params that differ between them are dropped.
 * Throws a UserError with all diagnostics.
 */
export function compileTrials(
  trials: readonly Trial[],
  recipes: readonly Recipe[],
  registries: Registries,
): CompiledTrial[] {
  const byKey = new Map<string, CompiledTrial[]>()
  const diagnostics = collectDiagnostics()
  const nameable = nameableTrials(trials)
  for (const trial of trials) {
    const distinct = new Map<string, CompiledTrial>()
    for (const seed of [trial, ...(trial.seeds ?? [])]) {
      const compiled = diagnostics.attempt(() =>
        compileTrial(seed, nameable, recipes[seed.recipe], registries),
      )
      if (!compiled) continue
      const key = rootsOf([compiled])
        .map(({ key }) => key)
        .join(' ')
      if (!distinct.has(key)) distinct.set(key, compiled)
    }
    const [first, ...seeds] = distinct.values()
    if (!first) continue
    // Only within a strategy: hybrid at alpha 1 ranks like naive, but the user asked for hybrid.
    const key = [trial.strategy, ...distinct.keys()].join(' ')
    addTo(byKey, key, { ...first, seeds })
  }
  diagnostics.throwIfAny()
  return [...byKey.values()].map(([first, ...same]) => {
    const ignored = new Set(
      same.flatMap(({ params, varied }) => [
        ...differing(first.params, params),
        ...differing(first.varied, varied),
      ]),
    )
    return without({ ...first, merged: same.map(({ id }) => id) }, ignored)
  })
}

/** The rows, then the other seeds of each. */
export function withSeeds(rows: readonly CompiledTrial[]): CompiledTrial[] {
  return [...rows, ...rows.flatMap(({ seeds }) => seeds)]
}

/** Unit of comparison and tuning: a strategy, or another system by its plain name. */
export function comparedStrategy(trial: Pick<Trial, 'strategy' | 'name' | 'varied'>): string {
  const { strategy } = trial
  return strategy === 'run' ? plainName(trial) : strategy
}

export function plainName({ name, varied }: Pick<Trial, 'name' | 'varied'>): string {
  const variation = trialName('', varied)
  return name.endsWith(variation) ? name.slice(0, name.length - variation.length) : name
}

/** Index of the trial with this id, merged ids included. */
export function trialIndex(trials: readonly CompiledTrial[], id: string): number {
  return trials.findIndex((trial) => trial.id === id || trial.merged.includes(id))
}

/**
 * Compiles a trial. If `prepare` lacks entries, continues with the suggested lines, so that all missing entries are
 * reported at once. Throws a UserError at the trial's location.
 */
function compileTrial(
  trial: Trial,
  trials: readonly Trial[],
  recipe: Recipe,
  registries: Registries,
): CompiledTrial {
  const lacking: LacksPreparation[] = []
  for (let over = recipe; ; ) {
    let retrieved: StrategyOutput
    try {
      const whole = retrieve(trial, sourceQuery(over), trials, registries)
      retrieved = over.ownDocument === 'drop' ? { ...whole, ranking: leaveOutOwn(whole.ranking) } : whole
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      if (!(error instanceof LacksPreparation)) {
        const located = error.diagnostics.map((diagnostic) =>
          diagnostic.file === undefined ? { ...diagnostic, ...trial.location } : diagnostic,
        )
        throw new UserError([...lackingIn(trial, lacking), ...located])
      }
      lacking.push(error)
      over = { ...over, ...error.advised }
      continue
    }
    if (lacking.length > 0) throw new UserError(lackingIn(trial, lacking))
    return { ...trial, merged: [], seeds: [], ...retrieved, stages: stageNames(retrieved.ranking) }
  }
}

/** Output of a trial. Its names are known, and lead back to no trial (`checkInner`). */
function retrieve(
  trial: Trial,
  source: Expression<Query>,
  trials: readonly Trial[],
  registries: Registries,
): StrategyOutput {
  let query = source
  for (const { name, params, file } of trial.before) {
    const transform = registries.before.get(file?.path ?? name) as QueryTransform
    query = transform.make(params).rewrite(query)
  }
  const strategy = registries.strategies.get(trial.strategy) as Strategy
  const inner: Inner = (name, from) => retrieve(matchInner(name, trial, trials)[0], from, trials, registries)
  const retrieved = strategy.make(trial.params).retrieve(query, inner)
  let { ranking } = retrieved
  for (const { name, params, file } of trial.after) {
    const transform = registries.after.get(file?.path ?? name) as RankingTransform
    ranking = transform.make(params).rank(ranking, query)
  }
  const whole = { ...retrieved, ranking }
  if (trial.language && trial.engine?.lexical !== undefined)
    throw new UserError('`language`: an engine has its own text analysis; leave out `language`')
  const spoken = trial.language ? searchInLanguage(whole, trial.language) : whole
  const searched = trial.engine ? searchInEngine(spoken, trial.engine) : spoken
  return trial.filter ? filterRetrieved(searched, source, trial.filter) : searched
}

function differing(a: Readonly<Record<string, Json>>, b: Readonly<Record<string, Json>>): string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (param) => JSON.stringify(a[param]) !== JSON.stringify(b[param]),
  )
}

function without(trial: CompiledTrial, ignored: ReadonlySet<string>): CompiledTrial {
  const keep = (values: Readonly<Record<string, Json>>) =>
    Object.fromEntries(Object.entries(values).filter(([param]) => !ignored.has(param)))
  const dropped = Object.keys(trial.varied).filter((param) => ignored.has(param))
  const name = trial.name
    .split(' ')
    .filter((word) => !dropped.some((param) => word.startsWith(`${param}=`)))
    .join(' ')
  return { ...trial, name, params: keep(trial.params), varied: keep(trial.varied) }
}

export function artifactsOf(trials: readonly CompiledTrial[]): Artifact<unknown>[] {
  return distinct(stepsOf(trials).flatMap(({ artifacts }) => Object.values(artifacts)))
}

export function distinct<A extends Artifact<unknown>>(artifacts: readonly A[]): A[] {
  return [...new Map(artifacts.map((artifact) => [artifact.key, artifact])).values()]
}

export function allArtifactsOf(trials: readonly CompiledTrial[]): Artifact<unknown>[] {
  return artifactsBelow(artifactsOf(trials))
}

export function keysBelow(artifacts: readonly Artifact<unknown>[]): Set<string> {
  return new Set(artifactsBelow(artifacts).map(({ key }) => key))
}

export function stepsOf(trials: readonly CompiledTrial[]): Expression<unknown>[] {
  return expressionsOf(rootsOf(trials))
}

export function rootsOf(trials: readonly CompiledTrial[]): Expression<unknown>[] {
  return trials.flatMap(({ ranking, evidence }) => (evidence ? [ranking, evidence] : [ranking]))
}

/** `{name: params}`, or the name alone. */
export function describeChoice({ name, params }: Choice): Json {
  return Object.keys(params).length > 0 ? { [name]: params } : name
}

function lackingIn(
  { strategy, name, sha256, location }: Trial,
  lacking: readonly LacksPreparation[],
): Diagnostic[] {
  if (lacking.length === 0) return []
  const label = sha256 === undefined ? strategy : name
  const inOrder = Object.keys(PREPARE).flatMap((key) => lacking.filter((missing) => missing.key === key))
  const lines = inOrder.map(({ line }) => `\n    ${line}`).join('')
  return [
    { ...location, message: `${label} reads what \`prepare\` does not name; add to \`prepare\`:${lines}` },
  ]
}

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
