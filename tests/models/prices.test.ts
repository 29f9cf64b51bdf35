import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import {
  COLLECTED,
  dollars,
  EMBEDDING_MODELS,
  LANGUAGE_MODELS,
  pricesMarkdown,
} from '../../src/models/prices.ts'

const page = readFileSync(resolve(import.meta.dirname, '..', '..', 'docs', 'costs.md'), 'utf8')

/** Whose pages may be cited for a price. */
const VENDORS = ['developers.openai.com/', 'platform.claude.com/', 'docs.anthropic.com/', 'ai.google.dev/']

test("prices bear the day of recording, name the vendor's own page or none, and stand once", () => {
  const all = [...LANGUAGE_MODELS, ...EMBEDDING_MODELS]
  expect(new Set(all.map(({ model }) => model)).size).toBe(all.length)
  for (const { date, source, input } of all) {
    expect(date).toBe(COLLECTED)
    if (source !== null) expect(VENDORS.some((vendor) => source.startsWith(vendor))).toBe(true)
    expect(input).toBeGreaterThan(0)
  }
})

test('dollars: a million read and a million written cost the two prices', () => {
  expect(dollars({ input: 3, output: 15 }, { input: 1e6, output: 1e6 })).toBe(18)
  expect(dollars({ input: 3, output: 15 }, { input: 1000, output: 0 })).toBeCloseTo(0.003, 12)
})

test('docs/costs.md holds the table of the day: npm run quickstart && npm run costs', () => {
  expect(page).toContain(pricesMarkdown())
  expect(pricesMarkdown()).toContain('| `gpt-4.1` | 2 | 8 | 2026-11-22 | **unsourced** |')
  expect(page).toContain(COLLECTED)
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
