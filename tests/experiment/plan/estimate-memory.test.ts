import { expect, test } from 'vitest'
import { splitDatasets } from '../../../src/config/datasets.ts'
import { loadConfig } from '../../../src/config/load.ts'
import { estimateMemory } from '../../../src/experiment/plan/estimate-memory.ts'
import { openExperiment } from '../../../src/experiment/plan/open.ts'
import { temporaryFolder } from '../../temporary.ts'

/** The quickstart's corpus as if it were `times` as large. */
async function estimateOf(only: string, times: number, workers = 1, set: readonly string[] = []) {
  const config = await loadConfig('configs/quickstart.yaml', { set, env: {}, folder: process.cwd() })
  const [{ experiment }] = splitDatasets(config)
  const open = await openExperiment(experiment, temporaryFolder())
  const { documents, letters } = open.dataset
  const trials = open.trials.filter(({ strategy }) => strategy === only)
  const dataset = { ...open.dataset, documents: documents * times, letters: letters * times }
  return estimateMemory({ ...open, trials, dataset }, workers)
}

test('memory grows with the corpus, with vectors and with workers', async () => {
  const small = await estimateOf('bm25', 1)
  const large = await estimateOf('bm25', 1000)
  const dense = await estimateOf('naive', 1000)
  const workers = await estimateOf('bm25', 1000, 4)
  expect(large.prepare).toBeGreaterThan(3 * small.prepare)
  expect(dense.prepare).toBeGreaterThan(2 * large.prepare)
  expect(dense.run).toBeGreaterThan(2 * large.run)
  expect(workers.run).toBeGreaterThan(2 * large.run)
  expect(workers.prepare).toBe(large.prepare)
})
