import type { Experiment } from '../../config/experiment.ts'
import { type ChatProviderParams, chatProviders, priceOf } from '../../models/chat/providers.ts'
import type { TokenPrice } from '../../models/completions/cost.ts'
import { type EndpointParams, priceOfEndpoint } from '../../models/rerank-endpoint.ts'
import { rerankers } from '../../models/rerankers/index.ts'
import { resolve } from '../../registry.ts'

/** Keyed by name in the config; without unknown prices. */
export function callPrices({
  models,
  rerankers: named,
}: Pick<Experiment, 'models' | 'rerankers'>): Record<string, TokenPrice> {
  const prices: Record<string, TokenPrice> = {}
  const add = (name: string, price: TokenPrice | null) => {
    if (!price) return
    const { input, output, cachedInput, searches } = price
    prices[name] = {
      input,
      output,
      ...(cachedInput !== undefined && { cachedInput }),
      ...(searches !== undefined && { searches }),
    }
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
