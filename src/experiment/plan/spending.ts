import { type Budget, FAILED_REQUESTS } from '../../config/experiment.ts'
import { UserError } from '../../errors.ts'
import { takenBy } from '../../models/completions/cost.ts'
import { Unrecorded } from '../../models/completions/recorded.ts'
import type { StoredCompletion } from '../../models/completions/request.ts'

/** Tokens and dollars of an experiment's completions so far, over all datasets, stored ones included. */
export interface Spending {
  /** Counts an answer, each once. `dollars`: what it cost; null where nobody knows. */
  note(completion: StoredCompletion, dollars: number | null): void
  /** Throws an OverBudget where no further call may begin. */
  check(): void
  /** Counts a request; `failure` says why it gave nothing. Throws a UserError where too many failed. */
  noteRequest(failure?: string): void
  /** Numbers so far. */
  spent(): Spent
}

export interface Spent {
  readonly dollars: number
  /** True if the price of some completion is unknown, so that `dollars` is too low. */
  readonly unpriced: boolean
  readonly tokens: number
  readonly requests: number
  readonly failed: number
  /** Reason of the last failed request. */
  readonly failure?: string
}

/** Error that ends the requests: the budget is used up. */
export class OverBudget extends UserError {}

/** Advice after an error that ends the requests. Rethrows any other error. */
export function adviceAfter(error: unknown): string {
  if (error instanceof OverBudget)
    return 'Completions are stored: run the same command with a higher `budget` to continue'
  if (error instanceof Unrecorded)
    return 'Record them with the model itself and `touchstone export --to recording`'
  throw error
}

const MINUTE = 60_000

/** Requests that may fail in a row, or of few. */
const FEW = 20

/**
 * `clock` returns milliseconds; time is counted from the first call of `check`. Of few requests up to 20 may fail, unless the share is 0; 20 in a row never, unless it is 1.
 */
export function trackSpending(budget: Budget | null, clock: () => number): Spending {
  const { dollars = Infinity, tokens = Infinity, minutes = Infinity } = budget ?? {}
  const { failedRequests: tolerated = FAILED_REQUESTS } = budget ?? {}
  const noted = new Set<string>()
  let spent = 0
  let used = 0
  let begun: number | undefined
  let [requests, failed, inARow] = [0, 0, 0]
  let unpriced = false
  let last: string | undefined
  return {
    spent: () => ({
      dollars: spent,
      unpriced,
      tokens: used,
      requests,
      failed,
      ...(last !== undefined && { failure: last }),
    }),
    noteRequest(failure) {
      requests++
      inARow = failure === undefined ? 0 : inARow + 1
      if (failure === undefined) return
      failed++
      last = failure
      const row = inARow >= FEW && tolerated < 1
      const share = failed > tolerated * requests && (failed > FEW || tolerated === 0)
      if (!row && !share) return
      const many = row ? `${inARow} requests in a row` : `${failed} of ${requests} requests`
      throw new UserError(
        `${many} to language models failed; the last: ${failure}\nCompletions are stored. Mend the server or the config and run the same command again, or allow more failed requests (\`budget.failedRequests\`, now ${tolerated})`,
      )
    },
    note(completion, cost) {
      if (noted.has(completion.key)) return
      noted.add(completion.key)
      const { input, output } = takenBy(completion)
      spent += cost ?? 0
      unpriced ||= cost === null
      used += input + output
    },
    check() {
      begun ??= clock()
      if (spent >= dollars)
        throw new OverBudget(`the budget of ${dollarText(dollars)} is used up (${dollarText(spent)})`)
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
export function dollarText(amount: number): string {
  return `$${amount.toFixed(amount < 1 ? 4 : 2)}`
}
