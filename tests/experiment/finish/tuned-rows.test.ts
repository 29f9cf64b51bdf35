import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSummary } from '../../../src/results/read.ts'
import { runConfig, runOptions, setUp } from '../experiments.ts'

const TRIALS = '[naive, bm25, {hybrid: {grid: {alpha: [0.3, 0.7]}}}]'

test('a tuned strategy of one trial is that trial, by category too, with its intervals', async () => {
  const { config, store, at } = setUp(TRIALS, 'folds: 3\n')
  await runConfig(config, store, runOptions(at('run')))
  const { trials, tuned } = readSummary(at('run'))
  expect(tuned.map(({ id, name }) => [id, name])).toEqual([
    ['tuned:bm25', 'bm25'],
    ['tuned:hybrid', 'hybrid, tuned'],
    ['tuned:naive', 'naive'],
  ])
  for (const { strategy, measures, categories } of [tuned[0], tuned[2]]) {
    const trial = trials.find((candidate) => candidate.strategy === strategy)
    expect({ measures, categories }).toEqual({ measures: trial?.measures, categories: trial?.categories })
    expect(Object.values(categories).some((by) => by['recall@5'].low !== null)).toBe(true)
  }
  // Else one could stand for the other.
  expect(tuned[0].measures).not.toEqual(tuned[2].measures)
})

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
  const compared = ['tuned:bm25', 'tuned:hybrid', 'tuned:naive']
  expect(comparison?.rows.map((row) => [row.id, row.baseline])).toEqual(compared.map((row) => [row, id]))
  for (const { id: row, difference } of comparison?.rows ?? []) {
    const mean = tuned.find((other) => other.id === row)?.measures['recall@5'].mean ?? Number.NaN
    expect(difference).toBeCloseTo(mean - (measures?.['recall@5'].mean ?? Number.NaN), 12)
  }
})
