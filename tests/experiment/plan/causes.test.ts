import { expect, test } from 'vitest'
import { loadConfig } from '../../../src/config/load.ts'
import { openExperiment, prepareAll } from '../../../src/experiment/plan/open.ts'
import { setUp } from '../experiments.ts'

test('progress names the strategy that alone needs an artifact', async () => {
  const at = setUp('[bm25, naive, hybrid: {fusion: rrf}]')
  const experiment = await loadConfig(at.config, { set: [], env: {}, folder: '/' })
  const told = new Set<string>()
  await prepareAll(await openExperiment(experiment, at.store), (what) => told.add(what))
  expect([...told].filter((what) => what.includes(' for '))).toEqual([])
  const two = setUp('[bm25, naive]')
  const other = await loadConfig(two.config, { set: [], env: {}, folder: '/' })
  await prepareAll(await openExperiment(other, two.store), (what) => told.add(what))
  expect(told).toContain('embedding chunks for naive')
})
