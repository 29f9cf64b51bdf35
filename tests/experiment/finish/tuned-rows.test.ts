import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSummary } from '../../../src/results/read.ts'
import { runConfig, runOptions, setUp } from '../experiments.ts'

const TRIALS = '[{hybrid: {grid: {alpha: [0.3, 0.7]}}}, bm25]'

test('folds with nothing to choose change no byte of the summary', async () => {
  const run = async (more: string) => {
    const { config, store, at } = setUp('[naive, bm25, hybrid]', more)
    await runConfig(config, store, runOptions(at('run')))
    return readFileSync(join(at('run'), 'summary.json'), 'utf8')
  }
  expect(await run('folds: 5\n')).toBe(await run(''))
})

test('a trial that the config names as baseline is compared as it is', async () => {
  const { config, store, at } = setUp(TRIALS, 'folds: 3\n')
  const named = readFileSync(config, 'utf8').replace('{draws', '{baseline: hybrid alpha=0.3, draws')
  writeFileSync(config, named)
  await runConfig(config, store, runOptions(at('run')))
  const { trials, tuned, comparison } = readSummary(at('run'))
  const plain = trials.find(({ name }) => name === 'hybrid alpha=0.3')
  const id = `tuned:${plain?.id}`
  const { name, measures, categories } = plain ?? {}
  expect(tuned.find((row) => row.id === id)).toMatchObject({ name, measures, categories, optimism: 0 })
  expect(comparison?.baseline).toBe(id)
  const compared = ['tuned:bm25', 'tuned:hybrid']
  expect(comparison?.rows.map((row) => [row.id, row.baseline])).toEqual(compared.map((row) => [row, id]))
  for (const { id: row, difference } of comparison?.rows ?? []) {
    const mean = tuned.find((other) => other.id === row)?.measures['recall@5'].mean ?? Number.NaN
    expect(difference).toBeCloseTo(mean - (measures?.['recall@5'].mean ?? Number.NaN), 12)
  }
})
