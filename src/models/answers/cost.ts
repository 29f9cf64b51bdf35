import { countTokens } from '../../text/tokens.ts'
import type { Usage } from '../chat/chat-model.ts'
import type { Answered, Question } from './question.ts'

/**
 * What an answer costs:
 *
 *     dollars = ((input - cached) * price.input + cached * price.cachedInput + output * price.output) / 1e6
 *             + searches * price.searches / 1000
 *
 * Reasoning is part of the output, and costs as much.
 */
export type TokenPrice = {
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

/** What one call may take, told before it is made. */
export interface AtMost {
  /** Estimated: o200k tokens, where the model's own tokenizer may count some tenths more or less. */
  readonly input: number
  /** Null where nothing limits it. */
  readonly output: number | null
  readonly searches?: number
}

/** Tokens around a message, and before the answer. */
const FRAME = 4

/** What a chat model reads of a question, with a schema that it is held to, and writes to its limit. */
export function chatAtMost(
  { messages, schema }: Pick<Question, 'messages' | 'schema'>,
  maxTokens: number | undefined,
): AtMost {
  const texts = messages.map(({ content }) => content)
  if (schema !== undefined) texts.push(JSON.stringify(schema))
  return {
    input: texts.reduce((sum, text) => sum + countTokens(text) + FRAME, FRAME),
    output: maxTokens ?? null,
  }
}

/** Null where nobody knows the price, or nothing limits the answer. */
export function dollarsAtMost({ input, output, searches }: AtMost, price: TokenPrice | null): number | null {
  if (!price || (output === null && price.output > 0)) return null
  return dollarsOf({ input, output: output ?? 0, searches }, price)
}
