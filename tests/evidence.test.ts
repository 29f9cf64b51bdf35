import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { benchmarksPage, type Described, type Part, withErrorRates } from '../scripts/evidence-pages.ts'
import { evidenceFiles, readParts } from '../scripts/evidence-parts.ts'

beforeEach(() => {
  for (const print of ['log', 'table'] as const) vi.spyOn(console, print).mockImplementation(() => {})
})

const root = resolve(import.meta.dirname, '..')
const docs = join(root, 'docs', 'evidence')

test('the page of benchmarks and the table of error rates are made of their stored figures', () => {
  const benches = evidenceFiles(join(root, 'bench'), '.bench.ts')
  const [measured, simulated] = ['benchmarks', 'simulations'].map((name) =>
    readParts(join(docs, `${name}.json`)),
  )
  expect(readFileSync(join(docs, 'benchmarks.md'), 'utf8')).toBe(benchmarksPage(benches, measured))
  expect(benches.filter(({ about }) => about === '')).toEqual([])
  const statistics = readFileSync(join(root, 'docs', 'statistics.md'), 'utf8')
  expect(withErrorRates(statistics, simulated)).toBe(statistics)
})

const machine = 'a processor, 2 cores, Node v20'
const all: Described[] = ['bm25', 'job', 'prepare'].map((name) => ({ name, about: `About ${name}.` }))
const part = (name: string, size: number | null, more: Partial<Part> = {}): Part => ({
  name,
  size,
  date: '2026-11-26',
  machine,
  others: 0.01,
  rows: [{ case: `${name} of ${size}`, ours_ms: 1.2345, peer: 'other', peer_ms: null, ratio: null }],
  ...more,
})

test('a page gives the whole job first, ratios after names, and the command of figures that are missing', () => {
  const page = benchmarksPage(all, [part('bm25', 10), part('bm25', 20)])
  expect(page.match(/^## .*$/gm)).toEqual(['## job', '## bm25', '## prepare'])
  expect(page).toContain(
    '## job\n\nAbout job.\n\nNo figures are stored: run `npm run bench -- --write --only job`.',
  )
  expect(page).toContain(`About bm25.

Measured 2026-11-26, ${machine}.

| case | ratio | ours ms | peer | peer ms |
|---|---:|---:|---:|---:|
| bm25 of 10 |  | 1.23 | other |  |
| bm25 of 20 |  | 1.23 | other |  |
`)
})
