import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { dollars, LANGUAGE_MODELS, pricesMarkdown } from '../src/models/prices.ts'
import { tokensRead } from '../src/report/views/cost.ts'
import type { Summary } from '../src/results/summary.ts'

/**
 * Writes the tables of docs/language-models.md: the prices, and the quickstart's counted dollars beside the estimate of 80 % input.
 * Run the quickstart first: `npm run quickstart && npm run costs`.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const file = join(root, 'docs', 'language-models.md')
const summary: Summary = JSON.parse(
  readFileSync(join(root, 'experiments', 'quickstart', 'summary.json'), 'utf8'),
)
const { pricing } = summary
const price = LANGUAGE_MODELS.find(({ model }) => model === 'claude-3-5-sonnet-20241022')
if (!pricing || !price) throw new Error('the quickstart names no price')

/** Tokens of an answer in two sentences. */
const ANSWER = 60
/** The trials of the example: one of each way of spending tokens. */
const SHOWN = ['bm25', 'naive embedder=MiniLM', 'lightrag embedder=MiniLM', 'graphrag-global embedder=lsa']

const rows = SHOWN.map((name) => {
  const trial = summary.trials.find((one) => one.name === name)
  if (!trial) throw new Error(`the quickstart has no trial ${name}`)
  const { input, output } = tokensRead(trial, pricing)
  const written = output + ANSWER
  const total = Math.round(input + written)
  const counted = 1000 * dollars(price, { input, output: written })
  // As the seed had it: whole tokens, four fifths read, one fifth written.
  const guess = { input: Math.floor(total * 0.8), output: Math.floor(total * 0.2) }
  const guessed = 1000 * dollars(price, guess)
  const share = (100 * input) / (input + written)
  return `| \`${name}\` | ${Math.round(input)} | ${Math.round(written)} | ${share.toFixed(1)} % | ${counted.toFixed(2)} | ${guessed.toFixed(2)} | ${(guessed / counted).toFixed(2)} × |`
})
const example = [
  '| trial | read | written | share read | counted, $ | 80 % rule, $ | rule / counted |',
  '|---|---|---|---|---|---|---|',
  ...rows,
].join('\n')

let text = readFileSync(file, 'utf8')
for (const [name, table] of Object.entries({ prices: pricesMarkdown(), example })) {
  const between = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`)
  if (!between.test(text)) throw new Error(`docs/language-models.md has no place for ${name}`)
  text = text.replace(between, (_, begin: string, end: string) => `${begin}${table}\n${end}`)
}
writeFileSync(file, text)
