import { expect, test } from 'vitest'
import { loadConfig } from '../../../src/config/load.ts'
import { splitDatasets } from '../../../src/config/split-datasets.ts'
import {
  estimateMemory,
  memoryRefusal,
  memoryWarnings,
} from '../../../src/experiment/plan/estimate-memory.ts'
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

test('adds bytes per document, letter and number of a vector', async () => {
  const config = await loadConfig('configs/quickstart.yaml', { set: [], env: {}, folder: process.cwd() })
  const [{ experiment }] = splitDatasets(config)
  const open = await openExperiment(experiment, temporaryFolder())
  const recipe = open.recipes.findIndex(({ embedder }) => embedder.name === 'lsa')
  const of = (
    strategy: string,
    { documents = 3000, embedder = { name: 'lsa', params: {} } as object, workers = 1 } = {},
  ) =>
    estimateMemory(
      {
        ...open,
        dataset: { ...open.dataset, documents, letters: 1e6 },
        recipes: [{ ...open.recipes[recipe], embedder: embedder as never }],
        trials: open.trials
          .filter((trial) => trial.strategy === strategy && trial.recipe === recipe)
          .map((trial) => ({ ...trial, recipe: 0 })),
      },
      workers,
    )
  const [read, search] = [3000 * 700 + 3e6, 3000 * 700 + 2.5e6]
  const lsa = 'prepare.embedder: {lsa: {dims: 100}}'
  const bm25 = { prepare: 150e6 + read, run: 150e6 + search, heap: read, advice: [] as string[] }
  expect(of('bm25')).toEqual(bm25)
  expect(of('bm25', { workers: 4 })).toEqual({ ...bm25, run: 150e6 + 4 * search, advice: ['--workers 1'] })
  const dense = (numbers: number, [fit, run]: readonly [number, number], advice: string[]) => ({
    ...bm25,
    prepare: bm25.prepare + fit * numbers,
    run: bm25.run + run * numbers,
    advice,
  })
  // 768 dimensions unless the config says so; those of LSA are at most a third of the documents.
  expect(of('naive')).toEqual(dense(3000 * 768, [29, 16], [lsa]))
  expect(of('naive', { embedder: { name: 'lsa', params: { dims: 50 } } })).toEqual(
    dense(3000 * 50, [29, 16], [lsa]),
  )
  const few = of('naive', { documents: 31 })
  expect(few.run).toBe(150e6 + 31 * 700 + 2.5e6 + 16 * 31 * 11)
  expect(of('naive', { embedder: { name: 'other', params: {} } })).toEqual(dense(3000 * 768, [12, 16], []))
  expect(of('naive', { embedder: { name: 'other', params: { dims: 5000 } } })).toEqual(
    dense(3000 * 5000, [12, 16], []),
  )
})

test('counts the vectors of every seed that draws them anew, and of no other', async () => {
  const lsa = ['prepare.embedder=lsa']
  const seeds = ['prepare.embedder={lsa: {grid: {seed: [0, 1, 2, 3, 4]}}}']
  const [bm25, one, five] = await Promise.all([
    estimateOf('bm25', 1000, 1, lsa),
    estimateOf('naive', 1000, 1, lsa),
    estimateOf('naive', 1000, 1, seeds),
  ])
  expect(five.run - bm25.run).toBeCloseTo(5 * (one.run - bm25.run), -3)
  const again = await estimateOf('bm25', 1000, 1, seeds)
  expect(again.run).toBe(bm25.run)
})

test('warns beyond what is free and beyond the heap, naming what helps', async () => {
  const estimate = await estimateOf('naive', 1000, 2)
  const [low, high] = [estimate.heap - 1, Math.max(estimate.prepare, estimate.run) + 1]
  expect(memoryWarnings(estimate, { total: high, free: high, heap: high })).toEqual([])
  expect(memoryWarnings(estimate, { total: high, free: low, heap: high })).toEqual([
    expect.stringMatching(/are free; less with prepare\.embedder: \{lsa: \{dims: 100\}\} or --workers 1$/),
  ])
  expect(memoryWarnings(estimate, { total: high, free: high, heap: low })).toEqual([
    expect.stringMatching(/^Node's heap is limited to .* set NODE_OPTIONS=--max-old-space-size=\d+$/),
  ])
})

test('warns in gigabytes, of what is more than there is', () => {
  const estimate = { prepare: 3e9, run: 5.26e9, heap: 2e9, advice: ['less', 'least'] }
  const warnings = (more: object, free: number, heap: number) =>
    memoryWarnings({ ...estimate, ...more }, { total: 9e9, free, heap })
  expect(warnings({}, 5.26e9, 2e9)).toEqual([])
  expect(warnings({}, 4e9, 1e9)).toEqual([
    'peak memory: about 3.0 GB to prepare, 5.3 GB to run, but only 4.0 GB are free; less with less or least',
    // 1.5 * 2e9 bytes are 2861.02 MiB.
    "Node's heap is limited to 1.0 GB, but preparing needs about 2.0 GB: set NODE_OPTIONS=--max-old-space-size=2862",
  ])
  expect(warnings({ prepare: 6e9, advice: [] }, 5.5e9, 3e9)).toEqual([
    'peak memory: about 6.0 GB to prepare, 5.3 GB to run, but only 5.5 GB are free',
  ])
})

test('refuses only if half of the estimate is more than the machine has', () => {
  const room = (total: number) => ({ total, free: 1, heap: 1 })
  const refusal = (prepare: number, run: number, advice: string[] = []) =>
    memoryRefusal({ prepare, run, heap: 1, advice }, room(8e9))
  expect(refusal(9e9, 1e9)).toBeUndefined()
  expect(refusal(16e9, 16e9)).toBeUndefined()
  expect(refusal(16.1e9, 1e9)).toBe(
    'peak memory: about 16.1 GB to prepare, 1.0 GB to run, and this machine has less than half of that (8.0 GB)',
  )
  expect(refusal(1e9, 16.1e9, ['--workers 1', '--other'])).toMatch(/; less with --workers 1 or --other$/)
})
