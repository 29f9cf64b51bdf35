import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { type ChatProviderParams, priceOf } from '../../src/models/chat/providers/define.ts'
import { chatProviders } from '../../src/models/chat/providers/index.ts'
import { dollars, EMBEDDING_MODELS, LANGUAGE_MODELS, pricesMarkdown } from '../../src/models/prices.ts'
import { resolve as resolveChoice } from '../../src/registry.ts'

const page = readFileSync(resolve(import.meta.dirname, '..', '..', 'docs', 'language-models.md'), 'utf8')

/** Whose pages may be cited for whose price. */
const VENDORS = {
  openai: ['developers.openai.com/'],
  anthropic: ['platform.claude.com/', 'docs.anthropic.com/'],
}

test("prices name the vendor's own page and the day it was read, and stand once", () => {
  const all = [...LANGUAGE_MODELS, ...EMBEDDING_MODELS]
  expect(new Set(all.map(({ model }) => model)).size).toBe(all.length)
  for (const { date, provider, source, input, cachedInput = 0 } of all) {
    expect(date).toMatch(/^2026-11-2[23]$/)
    expect(VENDORS[provider].some((vendor) => source.startsWith(vendor))).toBe(true)
    expect(input).toBeGreaterThan(cachedInput)
  }
})

test("the table holds for a vendor's own address only", () => {
  const { definition, params } = resolveChoice(chatProviders, {
    name: 'openai',
    params: { model: 'gpt-5-mini' },
  })
  const own = params as object as ChatProviderParams
  expect(priceOf(definition, own)).toMatchObject({ input: 0.25 })
  expect(priceOf(definition, { ...own, baseUrl: 'https://gateway.example/v1' })).toBeNull()
})

test('dollars: a million read and a million written cost the two prices', () => {
  expect(dollars({ input: 3, output: 15 }, { input: 1e6, output: 1e6 })).toBe(18)
  expect(dollars({ input: 3, output: 15 }, { input: 1000, output: 0 })).toBeCloseTo(0.003, 12)
})

test("the model of seed document 003 has the document's prices, $3 and $15", () => {
  const { definition, params } = resolveChoice(chatProviders, {
    name: 'anthropic',
    params: { model: 'claude-3-5-sonnet-20241022' },
  })
  expect(priceOf(definition, params as object as ChatProviderParams)).toMatchObject({ input: 3, output: 15 })
})

test('docs/language-models.md holds the table of the day: npm run quickstart && npm run costs', () => {
  expect(page).toContain(pricesMarkdown())
  expect(pricesMarkdown()).toContain(
    '| `claude-haiku-4-5` | 1 | 0.1 | 5 | 2026-11-23 | [platform.claude.com/',
  )
})

test("its example's ratios follow from its counts: four fifths read at $3, one fifth written at $15", () => {
  const rows = [
    ...page.matchAll(
      /^\| `[^`]+` \| (\d+) \| (\d+) \| ([\d.]+) % \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) × \|$/gm,
    ),
  ]
  expect(rows.length).toBeGreaterThan(2)
  for (const [, read, written, share, counted, rule, ratio] of rows.map((row) => row.map(Number))) {
    expect(share).toBeCloseTo((100 * read) / (read + written), 0)
    expect(counted).toBeCloseTo((3 * read + 15 * written) / 1000, 1)
    expect(rule).toBeCloseTo((5.4 * (read + written)) / 1000, 1)
    expect(ratio).toBeCloseTo(rule / counted, 1)
  }
})
