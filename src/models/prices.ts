import { z } from 'zod'

/** Cheaper models do not exist: such a price is dollars per token, as LiteLLM writes it, or per thousand tokens. */
const LOWEST = 0.001

export const dollarsPerMillion = z
  .number()
  .min(0)
  .max(1e6)
  .refine(
    (price) => price <= 0 || price >= LOWEST,
    'must be in dollars per million tokens; a price below 0.001 looks like one per token or per thousand tokens',
  )

/**
 * List price of a plain call in dollars per million tokens, with the vendor's page and the day on which a stored copy of
 * it was read. Models that also charge for more than a completion counts are left out: their costs would be understated.
 */
export interface Price {
  readonly model: string
  /** Dollars a million tokens read. */
  readonly input: number
  /** Dollars a million tokens written; 0 for embedding models, which write none. */
  readonly output: number
  /** The day for which it holds, as 2026-03-21; null where a config does not say. */
  readonly date: string | null
  /** The vendor's own page, or `the config`. */
  readonly source: string
}

export interface ListPrice extends Price {
  /** Provider: another provider of the same model has a price of its own. */
  readonly provider: 'anthropic' | 'openai'
  /** Dollars a million tokens read from the provider's cache; absent where its page says nothing of that. */
  readonly cachedInput?: number
}

/** `on`: the day on which a stored copy of `page` was read; the pages themselves carry none. */
const priceBy =
  (provider: ListPrice['provider']) =>
  (
    model: string,
    prices: Pick<ListPrice, 'input' | 'cachedInput' | 'output'>,
    on: string,
    page: string,
  ): ListPrice => ({ model, provider, ...prices, date: on, source: page })

export const openai = priceBy('openai')
const anthropic = priceBy('anthropic')
export const OPENAI = 'developers.openai.com'
const CLAUDE = 'platform.claude.com/docs/en'

export const LANGUAGE_MODELS: readonly ListPrice[] = [
  openai(
    'gpt-5-mini',
    { input: 0.25, cachedInput: 0.025, output: 2 },
    '2026-11-23',
    `${OPENAI}/ko-KR/api/docs/models/gpt-5-mini`,
  ),
  openai(
    'gpt-4.1-nano',
    { input: 0.1, output: 0.4 },
    '2026-11-22',
    `${OPENAI}/ko-KR/api/docs/models/gpt-4.1-nano`,
  ),
  anthropic(
    'claude-opus-4-6',
    { input: 5, cachedInput: 0.5, output: 25 },
    '2026-11-23',
    `${CLAUDE}/about-claude/pricing`,
  ),
  anthropic(
    'claude-sonnet-4-6',
    { input: 3, cachedInput: 0.3, output: 15 },
    '2026-11-23',
    `${CLAUDE}/docs/about-claude/pricing`,
  ),
  anthropic(
    'claude-haiku-4-5',
    { input: 1, cachedInput: 0.1, output: 5 },
    '2026-11-23',
    `${CLAUDE}/docs/about-claude/pricing`,
  ),
  anthropic(
    'claude-3-5-sonnet-20241022',
    { input: 3, cachedInput: 0.3, output: 15 },
    '2026-11-23',
    'docs.anthropic.com/en/docs/about-claude/pricing',
  ),
]
