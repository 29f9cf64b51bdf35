import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { dollars, EMBEDDING_MODELS, pricesMarkdown } from '../../scripts/price-table.ts'
import { type ChatProviderParams, chatProviders, priceOf } from '../../src/models/chat/providers.ts'
import { LANGUAGE_MODELS } from '../../src/models/prices.ts'
import { resolve as resolveChoice } from '../../src/registry.ts'

const page = readFileSync(resolve(import.meta.dirname, '..', '..', 'docs', 'models.md'), 'utf8')

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
  const chatParams = params as object as ChatProviderParams
  expect(priceOf(definition, chatParams)).toMatchObject({ input: 0.25 })
  expect(priceOf(definition, { ...chatParams, baseUrl: 'https://gateway.example/v1' })).toBeNull()
})

test('dollars: a million read and a million written cost the two prices', () => {
  expect(dollars({ input: 3, output: 15 }, { input: 1e6, output: 1e6 })).toBe(18)
  expect(dollars({ input: 3, output: 15 }, { input: 1000, output: 0 })).toBeCloseTo(0.003, 12)
})

test('docs/models.md holds the table of the day: npm run docs', () => {
  expect(page).toContain(pricesMarkdown())
  expect(pricesMarkdown()).toContain(
    '| `claude-haiku-4-5` | 1 | 0.1 | 5 | 2026-11-23 | [platform.claude.com/',
  )
})
