import { countTokens } from '../../text/tokens.ts'
import type { Usage } from '../chat/chat-model.ts'
import { tokenCount } from '../chat/wires/wire.ts'
import { type KeyedRequest, RERANKING, type StoredCompletion } from './request.ts'

/**
 * Price of a completion:
 *
 *     dollars = ((input - cached) * price.input + cached * price.cachedInput + output * price.output) / 1e6
 *             + searches * price.searches / 1000
 *
 * Reasoning is part of the output, and costs as much.
 */
export type TokenPrice = {
  readonly input: number
  readonly output: number
  /** `input` if absent. */
  readonly cachedInput?: number
  /** Dollars per thousand searches; 0 if absent. */
  readonly searches?: number
}

export function dollarsOfUsage(usage: Usage, price: TokenPrice): number {
  const { input, output, cachedInput = input, searches = 0 } = price
  const cached = usage.cachedInput ?? 0
  const tokens = ((usage.input - cached) * input + cached * cachedInput + usage.output * output) / 1e6
  return tokens + ((usage.searches ?? 0) * searches) / 1000
}

export interface Taken extends Usage {
  /** True if a count is an estimate in o200k tokens. */
  readonly estimated: boolean
}

/**
 * Tokens that a call took. A server's count is believed if it is a whole number that can be one. 0 is no count if
 * something was read or written.
 */
export function takenBy({ request, completion }: StoredCompletion): Taken {
  const { usage, text, reasoning = '' } = completion
  // Nobody pays for a refused request.
  if (completion.finish === 'failed') return { input: 0, output: 0, estimated: false }
  const counted = {
    input: tokenCount(usage?.input),
    output: tokenCount(usage?.output),
    cachedInput: tokenCount(usage?.cachedInput),
    reasoning: tokenCount(usage?.reasoning),
    searches: tokenCount(usage?.searches),
  }
  const isRerank = request.prompt === RERANKING
  // A reranker bills searches in place of tokens, and writes nothing.
  const readsUncounted = counted.input === 0 && !(isRerank && counted.searches > 0)
  const writesUncounted = counted.output === 0 && !isRerank && `${text}${reasoning}`.trim() !== ''
  const input = readsUncounted ? tokensRead(request) : counted.input
  const output = writesUncounted ? countTokens(text) + countTokens(reasoning) : counted.output
  return {
    input,
    output,
    estimated: readsUncounted || writesUncounted,
    ...(counted.cachedInput > 0 && { cachedInput: Math.min(counted.cachedInput, input) }),
    ...(counted.reasoning > 0 && { reasoning: Math.min(counted.reasoning, output) }),
    ...(counted.searches > 0 && { searches: counted.searches }),
  }
}

function tokensRead({ prompt, messages }: KeyedRequest): number {
  const [first = 0, ...others] = messages.map(({ content }) => countTokens(content))
  // A reranker reads the query with every passage.
  const isRerank = prompt === RERANKING
  return others.reduce((sum, tokens) => sum + tokens + (isRerank ? first : 0), isRerank ? 0 : first)
}

export interface AtMost {
  /** o200k tokens; the model's own tokenizer may count some tenths more or less. */
  readonly input: number
  /** Tokens written; null if nothing limits them. */
  readonly output: number | null
  readonly searches?: number
}

const FRAME = 4

export function chatAtMost(
  { messages, schema }: Pick<KeyedRequest, 'messages' | 'schema'>,
  maxTokens: number | undefined,
): AtMost {
  const texts = messages.map(({ content }) => content)
  if (schema !== undefined) texts.push(JSON.stringify(schema))
  return {
    input: texts.reduce((sum, text) => sum + countTokens(text) + FRAME, FRAME),
    output: maxTokens ?? null,
  }
}

/** Null without a price, or if nothing limits the completion. */
export function dollarsAtMost({ input, output, searches }: AtMost, price: TokenPrice | null): number | null {
  if (!price || (output === null && price.output > 0)) return null
  return dollarsOfUsage({ input, output: output ?? 0, searches }, price)
}
