import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import {
  benchmarksPage,
  type Described,
  type Measured,
  type Part,
  type Table,
  withErrorRates,
  withPart,
} from '../scripts/evidence-pages.ts'
import { type Evidence, evidenceFiles, measure, readParts, readRequest } from '../scripts/evidence-parts.ts'
import { temporaryFolder } from './temporary.ts'

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

test('rows of other days or machines have their own, and a busy machine is named', () => {
  const of = (...parts: Part[]) => benchmarksPage(all, parts)
  const rows = of(part('prepare', 10), part('prepare', 20, { date: '2026-11-20', others: 0.3 }))
  expect(rows).not.toContain('\nMeasured')
  expect(rows).toContain('| case | ratio | ours ms | peer | peer ms | measured |')
  expect(rows).toContain(`| prepare of 10 |  | 1.23 | other |  | 2026-11-26, ${machine} |`)
  expect(rows).toContain(`2026-11-20, ${machine}; other programs took 30 % of the cores' time |`)
  expect(of(part('prepare', 10), part('prepare', 20, { others: 0.3 }))).toContain(
    `Measured 2026-11-26, ${machine}; at most, other programs took 30 % of the cores' time.`,
  )
})

test('a part that is measured anew takes the place of its own; sizes and files that are gone are dropped', () => {
  const stored = [part('bm25', 10), part('bm25', 30), part('gone', 10), part('job', 10)]
  const known = { names: ['bm25', 'job', 'prepare'], sizes: [10, 20] }
  const found = withPart(stored, part('bm25', 20, { date: '2026-11-27' }), known)
  expect(found.map(({ name, size, date }) => [name, size, date])).toEqual([
    ['bm25', 10, '2026-11-26'],
    ['bm25', 20, '2026-11-27'],
    ['job', 10, '2026-11-26'],
  ])
  expect(withPart(found, part('bm25', 10, { date: '2026-11-28' }), known)[0].date).toBe('2026-11-28')
})

function evidenceOf(runs: Readonly<Record<string, Omit<Measured, 'name'>>>): Evidence {
  const folder = temporaryFolder()
  const described = Object.entries(runs).map(([name, file]) => ({
    name,
    about: name,
    load: async () => ({ name, ...file }),
  }))
  return {
    all: described,
    store: join(folder, 'parts.json'),
    page: join(folder, 'page.md'),
    pageOf: (parts) => benchmarksPage(described, parts),
    timed: true,
  }
}

const rowsOf = (size: number): Table => [{ case: `of ${size}` }]
const shownParts = ({ store }: Evidence) => readParts(store).map(({ name, size }) => `${name} ${size}`)

test('each part is on the page before the next is measured, and one that fails loses no other', async () => {
  const seen: string[][] = []
  const evidence: Evidence = evidenceOf({
    first: {
      sizes: [10, 20],
      onRequest: [30],
      run(size) {
        seen.push(shownParts(evidence))
        return rowsOf(size)
      },
    },
    second: {
      run() {
        throw new Error('no peer')
      },
    },
    third: { run: () => rowsOf(0) },
  })
  const failed = await measure({ only: [], sizes: null, write: true }, evidence)
  expect(failed).toEqual([expect.stringContaining('no peer')])
  expect(seen).toEqual([[], ['first 10']])
  expect(shownParts(evidence)).toEqual(['first 10', 'first 20', 'third null'])
  expect(readFileSync(evidence.page, 'utf8')).toBe(evidence.pageOf(readParts(evidence.store)))

  await measure({ only: ['first'], sizes: [30], write: true }, evidence)
  await measure({ only: ['first'], sizes: null, write: true }, evidence)
  expect(shownParts(evidence)).toEqual(['first 10', 'first 20', 'first 30', 'third null'])
  expect(readParts(evidence.store)[0].machine).toContain(`Node ${process.version}`)
})

test('nothing is stored without --write, and wrong words are told', async () => {
  const evidence = evidenceOf({ first: { sizes: [10], run: rowsOf }, second: { run: () => rowsOf(0) } })
  await measure({ only: ['first'], sizes: [7], write: false }, evidence)
  expect(shownParts(evidence)).toEqual([])
  const asked = (words: string[]) => measure(readRequest(words), evidence)
  await expect(asked(['--only', 'third'])).rejects.toThrow(
    '--only third: no such operation; choose from first, second',
  )
  await expect(asked(['--sizes', '10'])).rejects.toThrow('second has no sizes')
  await expect(asked(['--only', 'first', '--sizes', '7', '--write'])).rejects.toThrow(
    '--write stores first at 10, not at 7',
  )
  expect(() => readRequest(['--sizes', '1,x'])).toThrow(
    '--sizes takes whole numbers separated by commas, not 1,x',
  )
  expect(() => readRequest(['first'])).toThrow(/positional/)
})
