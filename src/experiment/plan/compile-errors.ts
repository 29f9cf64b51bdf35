import { basename } from 'node:path'
import type { Trial } from '../../config/experiment.ts'
import { PREPARE } from '../../config/prepare.ts'
import { LacksPreparation, type Recipe } from '../../corpus/recipe.ts'
import type { CustomFile } from '../../custom/load.ts'
import { codeLocation } from '../../custom/location.ts'
import { type Diagnostic, UserError } from '../../errors.ts'
import { isExpression } from '../../retrieve/step.ts'
import type { Strategy, StrategyOutput } from '../../retrieve/strategies/define.ts'

/**
 * Builds a trial with `build`. If `prepare` lacks a needed entry, continues as if the suggested lines were there, so that all
 * missing entries are reported at once. Throws a UserError at the trial's location.
 */
export function buildTrial<T>(trial: Trial, recipe: Recipe, build: (recipe: Recipe) => T): T {
  const lacking: LacksPreparation[] = []
  let over = recipe
  for (;;) {
    try {
      const built = build(over)
      if (lacking.length === 0) return built
      break
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      if (!(error instanceof LacksPreparation))
        throw new UserError([...lackingIn(trial, lacking), ...placed(trial, error)])
      lacking.push(error)
      over = { ...over, ...error.advised }
    }
  }
  throw new UserError(lackingIn(trial, lacking))
}

/** Calls a strategy's `retrieve`. Exceptions and invalid results of a custom file are reported as the author's errors. */
export function callRetrieve(
  trial: Trial,
  strategy: Strategy,
  input: Parameters<Strategy['retrieve']>[0],
): StrategyOutput {
  const path = trial.sha256 === undefined ? undefined : trial.strategy
  return callOwn(
    trial,
    path,
    '`retrieve`',
    () => strategy.retrieve(input),
    (retrieved) => {
      const { ranking, evidence } = (retrieved ?? {}) as Partial<StrategyOutput>
      if (isExpression(ranking) && (evidence === undefined || isExpression(evidence))) return undefined
      return `{ranking, evidence?}, each a step applied to its inputs; ${isExpression(ranking) ? 'evidence' : 'ranking'} is not`
    },
  )
}

/** Calls a transform's `apply`, with the same checks. */
export function callApply<T>(trial: Trial, file: CustomFile | undefined, apply: () => T): T {
  return callOwn(trial, file?.path, '`apply`', apply, (applied) =>
    isExpression(applied) ? undefined : 'a step applied to its inputs',
  )
}

/** Calls custom code. `lacks` describes an invalid result, or is undefined. */
function callOwn<T>(
  { location }: Trial,
  path: string | undefined,
  what: string,
  call: () => T,
  lacks: (given: T) => string | undefined,
): T {
  if (path === undefined) return call()
  const name = basename(path)
  try {
    const given = call()
    const wanted = lacks(given)
    if (wanted === undefined) return given
    throw new UserError(`${name}: ${what} gives ${wanted}`)
  } catch (error) {
    if (error instanceof UserError) throw error
    const message = error instanceof Error ? error.message : String(error)
    const { line, column } = codeLocation(path, error instanceof Error ? error.stack : '')
    const at = [name, line, column].filter((part) => part !== undefined).join(':')
    throw new UserError({ ...location, message: `${at}: ${what} failed: ${message}` })
  }
}

function lackingIn(
  { strategy, name, sha256, location }: Trial,
  lacking: readonly LacksPreparation[],
): Diagnostic[] {
  if (lacking.length === 0) return []
  const own = sha256 === undefined ? strategy : name
  const inOrder = Object.keys(PREPARE).flatMap((key) => lacking.filter((one) => one.key === key))
  const lines = inOrder.map(({ line }) => `\n    ${line}`).join('')
  return [
    { ...location, message: `${own} reads what \`prepare\` does not name; add to \`prepare\`:${lines}` },
  ]
}

function placed({ location }: Trial, { diagnostics }: UserError): Diagnostic[] {
  return diagnostics.map((diagnostic) =>
    diagnostic.file === undefined ? { ...diagnostic, ...location } : diagnostic,
  )
}
