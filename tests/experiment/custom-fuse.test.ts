import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readTable } from '../../src/tables/parquet.ts'
import { temporaryFolder } from '../temporary.ts'
import { finishConfig, runOptions, writeConfig, writeTowns } from './experiments.ts'

/** A search of one's own: dense search, upside down. */
const MINE = `export default ({ defineStrategy, steps, z }) => defineStrategy({
  name: 'mine', summary: 'the farthest first', source: 'this test', params: z.strictObject({}),
  make: () => ({ retrieve(query) {
    const farthest = steps.defineStep({
      name: 'farthest', version: 1, yields: 'ranking',
      run: ([{ rows, scores }]) => ({ rows: rows.slice().reverse(), scores: scores.map((score) => -score).reverse() }),
    })
    return { ranking: farthest([steps.searchDense([steps.embedQuery([query], null)], { depth: 30 })], null) }
  } }),
})`

test('a search from a file of its own is fused with the terms of traversal', async () => {
  const folder = temporaryFolder()
  writeTowns(join(folder, 'towns'), { towns: 12 })
  writeFileSync(join(folder, 'mine.mjs'), MINE)
  const config = writeConfig(
    folder,
    '[{name: terms, traversal: {alpha: 0}}, {name: mine, ./mine.mjs: {}}, {name: both, fuse: {of: [terms, mine], weights: [0.6, 0.4]}}]',
    'depth: 30',
  )
  const run = join(folder, 'run')
  const outcome = await finishConfig(config, join(folder, 'store'), runOptions(run))
  expect(outcome.summary.trials.map(({ name }) => name)).toEqual(['terms', 'mine', 'both'])
  const table = await readTable(join(run, 'rankings.parquet'))
  const [trials, queries, ranks, scores] = ['trial', 'query', 'rank', 'score'].map((name) =>
    table.numbers(name),
  )
  const chunks = table.strings('chunk')
  const rankOf = new Map(
    [...trials.keys()].map((row) => [`${trials[row]} ${queries[row]} ${chunks[row]}`, ranks[row]]),
  )
  const part = (trial: number, row: number, weight: number) => {
    const rank = rankOf.get(`${trial} ${queries[row]} ${chunks[row]}`)
    return rank === undefined ? 0 : weight / (60 + rank)
  }
  const fused = [...trials.keys()].filter((row) => trials[row] === 2)
  expect(fused.length).toBeGreaterThan(100)
  for (const row of fused) expect(scores[row]).toBeCloseTo(part(0, row, 0.6) + part(1, row, 0.4), 12)
})
