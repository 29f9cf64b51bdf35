import { countTokens } from '../../text/tokens.ts'
import type { Usage } from '../chat/chat-model.ts'
import type { Answered } from './question.ts'

/**
 * What an answer costs:
 *
 *     dollars = ((input - cached) * price.input + cached * price.cachedInput + output * price.output) / 1e6
 *             + searches * price.searches / 1000
 *
 * Reasoning is part of the output, and costs as much.
 */
export interface TokenPrice {
  /** Dollars a million tokens read. */
  readonly input: number
  /** The same written. */
  readonly output: number
  /** Of tokens from the provider's cache; as `input` where absent. */
  readonly cachedInput?: number
  /** A thousand searches of a reranker; 0 where absent. */
  readonly searches?: number
}

export function dollarsOf(usage: Usage, price: TokenPrice): number {
  const { input, output, cachedInput = input, searches = 0 } = price
  const cached = usage.cachedInput ?? 0
  const tokens = ((usage.input - cached) * input + cached * cachedInput + usage.output * output) / 1e6
  return tokens + ((usage.searches ?? 0) * searches) / 1000
}

/** What a server did not count is counted here. */
export function usageOf({ question, answer }: Answered): Usage {
  return (
    answer.usage ?? {
      input: question.messages.reduce((sum, { content }) => sum + countTokens(content), 0),
      output: countTokens(answer.text),
    }
  )
}
