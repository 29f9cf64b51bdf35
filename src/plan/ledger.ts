import type { Budget } from '../config/experiment.ts'
import { UserError } from '../errors.ts'
import { takenBy } from '../models/answers/cost.ts'
import type { Answered } from '../models/answers/question.ts'

/** What all answers of an experiment took so far, over all of its datasets, whoever paid for them. */
export interface Ledger {
  /** Counts an answer, each once. `dollars`: what it cost; null where nobody knows. */
  note(answered: Answered, dollars: number | null): void
  /** Throws an OverBudget where no further call may begin. */
  check(): void
}

/** Nothing more is asked. */
export class OverBudget extends UserError {}

const MINUTE = 60_000

/** `clock` returns milliseconds; time is counted from the first call of `check`. */
export function openLedger(budget: Budget | null, clock: () => number): Ledger {
  const { dollars = Infinity, tokens = Infinity, minutes = Infinity } = budget ?? {}
  const noted = new Set<string>()
  let spent = 0
  let used = 0
  let begun: number | undefined
  return {
    note(answered, cost) {
      if (noted.has(answered.key)) return
      noted.add(answered.key)
      const { input, output } = takenBy(answered)
      spent += cost ?? 0
      used += input + output
    },
    check() {
      begun ??= clock()
      if (spent >= dollars)
        throw new OverBudget(`the budget of ${money(dollars)} is used up (${money(spent)})`)
      if (used >= tokens)
        throw new OverBudget(
          `the budget of ${tokens.toLocaleString('en')} tokens is used up (${used.toLocaleString('en')})`,
        )
      if (clock() - begun >= minutes * MINUTE)
        throw new OverBudget(`the budget of ${minutes} minutes is used up`)
    },
  }
}

/** $12.30, and $0.0012 below a dollar. */
export function money(amount: number): string {
  return `$${amount.toFixed(amount < 1 ? 4 : 2)}`
}
