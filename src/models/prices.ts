/**
 * What models cost, in dollars a million tokens, as published on a day: a price is out of date when it is written down,
 * so each carries its date and where it was read, and a config may bring its own (`prices: {model, input, output}`).
 * List prices of a plain call: no batch, no cache, no long-context surcharge.
 */
export interface Price {
  readonly model: string
  /** Dollars a million tokens read. */
  readonly input: number
  /** Dollars a million tokens written; 0 for embedding models, which write none. */
  readonly output: number
  /** The day for which it was published, as 2026-03-21; null where its page bears none. */
  readonly date: string | null
  readonly source: string
}

/** The day on which the sources were read, from stored copies. */
export const COLLECTED = '2026-11-22'

const OPENAI = 'OpenAI list price as told by losclouds.com/ai-models'
const ANTHROPIC = 'Anthropic list price as told by deploybase.ai/articles/claude-api-pricing'
const GOOGLE = 'Google list price as told by github.com/schlebek/ai-wish-generator, release v3.2.0'

/** Language models: what reads the context and answers. */
export const LANGUAGE_MODELS: readonly Price[] = [
  { model: 'gpt-4.1', input: 2, output: 8, date: '2026-04-02', source: OPENAI },
  { model: 'gpt-4.1-mini', input: 0.4, output: 1.6, date: '2026-04-02', source: OPENAI },
  {
    model: 'gpt-4.1-nano',
    input: 0.1,
    output: 0.4,
    date: '2026-03-31',
    source: 'OpenAI list price (March 2026) as told by deploybase.ai/articles/gpt-4.1-pricing',
  },
  { model: 'claude-opus-4-6', input: 5, output: 25, date: '2026-03-21', source: ANTHROPIC },
  { model: 'claude-sonnet-4-6', input: 3, output: 15, date: '2026-03-21', source: ANTHROPIC },
  { model: 'claude-haiku-4-5', input: 1, output: 5, date: '2026-03-21', source: ANTHROPIC },
  {
    model: 'claude-3-5-sonnet-20241022',
    input: 3,
    output: 15,
    date: null,
    source: 'docs.anthropic.com/en/docs/about-claude/pricing (named deprecated there)',
  },
  { model: 'gemini-2.5-pro', input: 1.25, output: 10, date: '2026-04-19', source: GOOGLE },
  { model: 'gemini-2.5-flash', input: 0.3, output: 2.5, date: '2026-04-19', source: GOOGLE },
  { model: 'gemini-2.5-flash-lite', input: 0.1, output: 0.4, date: '2026-04-19', source: GOOGLE },
]

/** Embedding models. */
export const EMBEDDING_MODELS: readonly Price[] = [
  {
    model: 'text-embedding-3-small',
    input: 0.02,
    output: 0,
    date: null,
    source: 'developers.openai.com/api/docs/models/text-embedding-3-large (its comparison)',
  },
  {
    model: 'text-embedding-3-large',
    input: 0.13,
    output: 0,
    date: null,
    source: 'developers.openai.com/api/docs/models/text-embedding-3-large',
  },
]

export interface Tokens {
  readonly input: number
  readonly output: number
}

/** Dollars for tokens read and written. */
export function dollars({ input, output }: Pick<Price, 'input' | 'output'>, tokens: Tokens): number {
  return (tokens.input * input + tokens.output * output) / 1e6
}

/** The table in Markdown. */
export function pricesMarkdown(): string {
  const row = ({ model, input, output, date, source }: Price, writes: boolean) =>
    `| \`${model}\` | ${input} | ${writes ? output : ''} | ${date ?? 'undated'} | ${source} |`
  return [
    '| model | input | output | price of | source |',
    '|---|---|---|---|---|',
    ...LANGUAGE_MODELS.map((price) => row(price, true)),
    ...EMBEDDING_MODELS.map((price) => row(price, false)),
  ].join('\n')
}
