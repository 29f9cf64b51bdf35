import { UserError } from '../errors.ts'
import { readRules } from '../router/read.ts'
import { armsOf, DEFAULT_RULES, type Rules } from '../router/rules.ts'
import { didYouMean } from '../text/nearest.ts'
import type { Path, Problem } from './problem.ts'
import type { TrialNames } from './trial-names.ts'
import type { PlacedTrial } from './trials.ts'

/** Checks what `arms` of routers say: every arm is one that a rule leads to, and names a trial of the config. */
export function checkArms(placed: readonly PlacedTrial[], names: TrialNames, problems: Problem[]): void {
  for (const { trial, path } of placed) {
    if (trial.strategy !== 'router') continue
    const at = [...path, 'router']
    const rules = rulesOf(trial.params.rules, [...at, 'rules'], problems)
    const known = rules && armsOf(rules)
    for (const [arm, name] of Object.entries((trial.params.arms ?? {}) as Record<string, string>)) {
      const place = [...at, 'arms', arm]
      if (known && !known.includes(arm))
        problems.push({
          path: place,
          on: 'key',
          message: `no rule leads to the arm \`${arm}\`${didYouMean(arm, known)}; there are ${known.join(', ')}`,
        })
      if (names.has(name) || names.mayBe(name)) continue
      const others = placed.map(({ trial: other }) => other.name)
      problems.push({ path: place, message: `there is no trial \`${name}\`${didYouMean(name, others)}` })
    }
  }
}

/** The rules that a router reads; mistakes in their file are problems with its place in the message. */
function rulesOf(file: unknown, path: Path, problems: Problem[]): Rules | undefined {
  if (typeof file !== 'string') return DEFAULT_RULES
  try {
    return readRules(file)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    for (const mistake of error.message.split('\n')) problems.push({ path, message: mistake })
    return undefined
  }
}
