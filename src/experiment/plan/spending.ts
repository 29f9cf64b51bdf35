import type { Budget, Experiment } from '../../config/experiment.ts'
import { FAILED_REQUESTS } from '../../config/schema.ts'
import { UserError } from '../../errors.ts'
import { type ChatProviderParams, chatProviders, priceOf } from '../../models/chat/providers.ts'
import { type TokenPrice, takenBy } from '../../models/completions/cost.ts'
import { Unrecorded } from '../../models/completions/recorded.ts'
import type { StoredCompletion } from '../../models/completions/request.ts'
import { type EndpointParams, priceOfEndpoint } from '../../models/reranker.ts'
import { rerankers } from '../../models/rerankers/index.ts'
import { resolve } from '../../registry.ts'

export interface Spending {
  /** Counts each completion once; dollars are null if unknown. */
  note(completion: StoredCompletion, dollars: number | null): void
  /** Throws an OverBudget if no further call may begin. */
  check(): void
  /** Throws a UserError if too many requests failed. */
  noteRequest(failure?: string): void
  spent(): Spent
}

export interface Spent {
  readonly dollars: number
  readonly unpriced: boolean
  readonly tokens: number
  readonly requests: number
  readonly failed: number
  readonly failure?: string
}

class OverBudget extends UserError {}

/** Rethrows errors that do not end the requests. */
export function adviceAfter(error: unknown): string {
  if (error instanceof OverBudget)
    return 'Completions are stored: run the same command with a higher `budget` to continue'
  if (error instanceof Unrecorded)
    return 'Record them with the model itself and `touchstone export --to recording`'
  throw error
}

const MINUTE = 60_000

const FEW = 20

/**
 * `clock` is in milliseconds; time counts from the first `check`. Up to 20 failed requests are allowed unless the share
 * is 0; 20 in a row only if it is 1.
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

export function dollarText(amount: number): string {
  return `$${amount.toFixed(amount < 1 ? 4 : 2)}`
}

/** Keyed by name in the config; without unknown prices. */
export function callPrices({
  models,
  rerankers: named,
}: Pick<Experiment, 'models' | 'rerankers'>): Record<string, TokenPrice> {
  const prices: Record<string, TokenPrice> = {}
  const add = (name: string, price: TokenPrice | null) => {
    if (!price) return
    const { input, output, cachedInput, searches } = price
    prices[name] = { input, output, cachedInput, searches }
  }
  for (const [name, choice] of Object.entries(models)) {
    const { definition, params } = resolve(chatProviders, choice)
    add(name, priceOf(definition, params as object as ChatProviderParams))
  }
  for (const [name, choice] of Object.entries(named)) {
    const { definition, params } = resolve(rerankers, choice)
    if (definition.wire) add(name, priceOfEndpoint(params as object as EndpointParams))
  }
  return prices
}
