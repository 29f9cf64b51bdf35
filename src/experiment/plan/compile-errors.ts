import type { Trial } from '../../config/experiment.ts'
import { PREPARE } from '../../config/prepare.ts'
import { LacksPreparation, type Recipe } from '../../corpus/recipe.ts'
import { type Diagnostic, UserError } from '../../errors.ts'

/**
 * Builds a trial. If `prepare` lacks entries, continues with the suggested lines, so that all missing entries are
 * reported at once. Throws a UserError at the trial's location.
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
