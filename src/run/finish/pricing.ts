import type { Price } from '../../models/prices.ts'
import type { PricingSummary } from '../../results/summary.ts'
import { countTokens } from '../../text/tokens.ts'
import type { Query } from '../../types.ts'

/** The instruction around the question that a priced answer is asked with; its tokens count as the prompt's. */
export const INSTRUCTION =
  'Answer the question from the passages below alone, in one or two sentences. Name the passages that you used. Say so where they do not hold the answer.\n\nQuestion: '

/** What a config's `prices` say, with the mean tokens of the queries' own prompts. */
export function describePricing(price: Price | null, queries: readonly Query[]): PricingSummary | null {
  if (!price || queries.length === 0) return null
  const instruction = countTokens(INSTRUCTION)
  const questions = queries.reduce((sum, { text }) => sum + countTokens(text), 0)
  return { ...price, promptTokens: instruction + questions / queries.length }
}
