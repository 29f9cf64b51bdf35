import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTable } from '../../../src/tables/parquet.ts'
import { temporaryFolder } from '../../temporary.ts'
import { finishConfig, runOptions, writeConfig, writeTowns } from '../experiments.ts'

test('what a trial counted and said of each query stands in a table of its own', async () => {
  const folder = temporaryFolder()
  writeTowns(join(folder, 'towns'), { towns: 12 })
  writeFileSync(
    join(folder, 'p.yaml'),
    'otherwise: {name: any}\nexpand: [{pattern: TownA0, terms: [TownB1, zebra]}]\n',
  )
  const run = join(folder, 'run')
  const outcome = await finishConfig(
    writeConfig(
      folder,
      '[bm25, traversal, {name: narrow, traversal: {pool: 5}}, {name: wide, traversal: {policies: p.yaml}}]',
      'depth: 10',
    ),
    join(folder, 'store'),
    runOptions(run),
  )
  const columns = ['trial', 'query', 'name', 'value', 'text']
  const table = await readTable(join(run, 'diagnostics.parquet'), columns)
  const [trials, queries, values] = ['trial', 'query', 'value'].map((name) => table.numbers(name))
  const [names, texts] = ['name', 'text'].map((name) => table.strings(name))
  const of = (trial: number, query: number) => {
    const rows = [...names.keys()].filter((row) => trials[row] === trial && queries[row] === query)
    return Object.fromEntries(rows.map((row) => [names[row], texts[row] || values[row]]))
  }
  // Queries are sorted by id: q0 is `What does TownA0 live by?`, gold d0; qx has none.
  expect(of(1, 0)).toMatchObject({
    intent: 'definition',
    terms: 'towna0, towna0 live',
    // The word `live` stands in every chunk, so both terms hit gold.
    expandedTerms: 2,
    termsWithHits: 2,
    termHitRate: 1,
    termsWithGold: 2,
    chunksWithTerms: 12,
    byTerms: 12,
    semantic: 12,
    overlap: 12,
    retrieved: 10,
    unexpanded: 0,
    'gold: dense+lexical': 1,
  })
  // Each path ends at its pool, and what both found is listed once; terms hit more chunks than that.
  const narrow = of(2, 0)
  expect(narrow).toMatchObject({ chunksWithTerms: 12, byTerms: 5, semantic: 5 })
  expect(narrow.overlap).toBeLessThan(5)
  expect(narrow.retrieved).toBe(10 - Number(narrow.overlap))
  // `TownB1` hits chunks, but not the gold one; `zebra` hits none.
  expect(of(3, 0)).toMatchObject({
    terms: 'towna0, TownB1, zebra, towna0 live',
    expandedTerms: 4,
    termsWithHits: 3,
    termHitRate: 0.75,
    termsWithGold: 2,
  })
  expect(of(0, 0)).toEqual({ retrieved: expect.any(Number), 'gold: lexical': 1 })
  const last = Math.max(...queries)
  expect(of(1, last)).toMatchObject({ intent: 'general', termsWithGold: 0, unexpanded: 1 })
  expect(outcome.summary.trials[1].perQuery).toMatchObject({ termsWithHits: expect.any(Number) })
})
