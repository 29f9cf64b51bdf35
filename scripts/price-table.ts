import { LANGUAGE_MODELS, type ListPrice, OPENAI, openai, type Price } from '../src/models/prices.ts'

/** Embedding models. */
export const EMBEDDING_MODELS: readonly ListPrice[] = [
  openai(
    'text-embedding-3-small',
    { input: 0.02, output: 0 },
    '2026-11-22',
    `${OPENAI}/api/docs/models/text-embedding-3-large`,
  ),
  openai(
    'text-embedding-3-large',
    { input: 0.13, output: 0 },
    '2026-11-22',
    `${OPENAI}/api/docs/models/text-embedding-3-large`,
  ),
]

interface Tokens {
  readonly input: number
  readonly output: number
}

/** Dollars for tokens read and written. */
export function dollars({ input, output }: Pick<Price, 'input' | 'output'>, tokens: Tokens): number {
  return (tokens.input * input + tokens.output * output) / 1e6
}

/** The table in Markdown. */
export function pricesMarkdown(): string {
  const row = ({ model, input, cachedInput, output, date, source }: ListPrice, writes: boolean) =>
    `| \`${model}\` | ${input} | ${cachedInput ?? ''} | ${writes ? output : ''} | ${date} | [${source}](https://${source}) |`
  return [
    '| model | input | cached input | output | read on | source |',
    '|---|---|---|---|---|---|',
    ...LANGUAGE_MODELS.map((price) => row(price, true)),
    ...EMBEDDING_MODELS.map((price) => row(price, false)),
  ].join('\n')
}
