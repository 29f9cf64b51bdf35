import { z } from 'zod'

/** No model is cheaper: such a price is per token or per thousand tokens. */
const LOWEST = 0.001

export const dollarsPerMillion = z
  .number()
  .min(0)
  .max(1e6)
  .refine(
    (price) => price <= 0 || price >= LOWEST,
    'must be in dollars per million tokens; a price below 0.001 looks like one per token or per thousand tokens',
  )

/** List price in dollars per million tokens. Models that also charge for other things are left out. */
export interface Price {
  readonly model: string
  /** Dollars a million tokens read. */
  readonly input: number
  /** 0 for embedding models. */
  readonly output: number
  /** As 2026-03-21; null if a config does not say. */
  readonly date: string | null
  /** The vendor's own page, or `the config`. */
  readonly source: string
}

export interface ListPrice extends Price {
  /** Another provider of the same model has a price of its own. */
  readonly provider: 'anthropic' | 'openai'
  /** Absent if the page does not say. */
  readonly cachedInput?: number
}

/** `on`: day on which a stored copy of `page` was read. */
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
