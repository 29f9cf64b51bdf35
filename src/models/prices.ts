/**
 * What models cost, in dollars a million tokens, as recorded on a day: a price is out of date when it is written down,
 * so each carries its day and the vendor's page that bears it, and a config may bring its own (`prices: {model, input, output}`).
 * List prices of a plain call: no batch, no cache, no long-context surcharge.
 */
export interface Price {
  readonly model: string
  /** Dollars a million tokens read. */
  readonly input: number
  /** Dollars a million tokens written; 0 for embedding models, which write none. */
  readonly output: number
  /** The day for which it holds, as 2026-03-21; null where a config does not say. */
  readonly date: string | null
  /** The vendor's own page, or `the config`; null for a price that nobody looked up there. */
  readonly source: string | null
}

/** The day on which the prices were recorded, and the stored copies of the pages that are named were read. */
export const COLLECTED = '2026-11-22'

const price = (model: string, input: number, output: number, source: string | null): Price => ({
  ...{ model, input, output, source },
  date: COLLECTED,
})

const ANTHROPIC = 'platform.claude.com/docs'
const OPENAI = 'developers.openai.com'

/** Language models: what reads the context and answers. */
export const LANGUAGE_MODELS: readonly Price[] = [
  price('gpt-4.1', 2, 8, null),
  price('gpt-4.1-mini', 0.4, 1.6, null),
  price('gpt-4.1-nano', 0.1, 0.4, `${OPENAI}/ko-KR/api/docs/models/gpt-4.1-nano`),
  price('claude-opus-4-6', 5, 25, `${ANTHROPIC}/en/models/opus-4-6/overview`),
  price('claude-sonnet-4-6', 3, 15, `${ANTHROPIC}/pt-BR/models/sonnet-4-6/overview`),
  price('claude-haiku-4-5', 1, 5, `${ANTHROPIC}/pt-BR/models/haiku-4-5/overview`),
  price('claude-3-5-sonnet-20241022', 3, 15, 'docs.anthropic.com/en/docs/about-claude/pricing'),
  price('gemini-2.5-pro', 1.25, 10, null),
  price('gemini-2.5-flash', 0.3, 2.5, null),
  price('gemini-2.5-flash-lite', 0.1, 0.4, null),
]

/** Embedding models. */
export const EMBEDDING_MODELS: readonly Price[] = [
  price('text-embedding-3-small', 0.02, 0, `${OPENAI}/api/docs/models/text-embedding-3-large`),
  price('text-embedding-3-large', 0.13, 0, `${OPENAI}/api/docs/models/text-embedding-3-large`),
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
    `| \`${model}\` | ${input} | ${writes ? output : ''} | ${date} | ${source ?? '**unsourced**'} |`
  return [
    '| model | input | output | recorded | source |',
    '|---|---|---|---|---|',
    ...LANGUAGE_MODELS.map((price) => row(price, true)),
    ...EMBEDDING_MODELS.map((price) => row(price, false)),
  ].join('\n')
}
