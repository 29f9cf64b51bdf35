import { dollarsOfUsage, type TokenPrice } from '../../models/completions/cost.ts'
import type { Price } from '../../models/prices.ts'
import type { CallCost, PricingSummary } from '../../results/pricing.ts'
import { USAGES, usageCounter } from '../../retrieve/steps/asking.ts'
import { countTokens } from '../../text/tokens.ts'
import type { Query } from '../../types.ts'

/** Instruction of a priced answer; its tokens count as prompt tokens. */
export const INSTRUCTION =
  'Answer the question from the passages below alone, in one or two sentences. Name the passages that you used. Say so where they do not hold the answer.\n\nQuestion: '

/** Prices of the config, with the mean prompt tokens of the queries. */
export function describePricing(price: Price | null, queries: readonly Query[]): PricingSummary | null {
  if (!price || queries.length === 0) return null
  const instruction = countTokens(INSTRUCTION)
  const questions = queries.reduce((sum, { text }) => sum + countTokens(text), 0)
  return { ...price, promptTokens: instruction + questions / queries.length }
}

/** Mean cost per query of a trial's calls to models with a known price. */
export function callCost(
  perQuery: Readonly<Record<string, number>>,
  prices: Readonly<Record<string, TokenPrice>>,
): CallCost {
  const cost = { inputTokens: 0, outputTokens: 0, dollars: 0 }
  for (const [model, price] of Object.entries(prices)) {
    const [input, cachedInput, output, searches] = USAGES.map(
      (kind) => perQuery[usageCounter(kind, model)] ?? 0,
    )
    cost.inputTokens += input
    cost.outputTokens += output
    cost.dollars += dollarsOfUsage({ input, cachedInput, output, searches }, price)
  }
  return cost
}
