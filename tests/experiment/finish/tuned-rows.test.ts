import { expect, test } from 'vitest'
import { readSummary } from '../../../src/results/read.ts'
import { runConfig, runOptions, setUp } from '../experiments.ts'

test('a tuned strategy of one trial is that trial, by category too, with its intervals', async () => {
  const { config, store, at } = setUp('[naive, bm25]', 'folds: 3\n')
  await runConfig(config, store, runOptions(at('run')))
  const { trials, tuned } = readSummary(at('run'))
  expect(tuned.map(({ strategy }) => strategy)).toEqual(['bm25', 'naive'])
  for (const { strategy, measures, categories } of tuned) {
    const own = trials.find((trial) => trial.strategy === strategy)!
    expect(measures).toEqual(own.measures)
    expect(categories).toEqual(own.categories)
    expect(Object.keys(categories).length).toBeGreaterThan(1)
    expect(Object.values(categories).some((by) => by['recall@5'].low !== null)).toBe(true)
  }
  // Else one could stand for the other.
  expect(tuned[0].measures).not.toEqual(tuned[1].measures)
})
