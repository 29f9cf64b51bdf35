import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { threads } from '../../src/experiment/executors/threads.ts'
import { readResults } from '../../src/results/read.ts'
import { readRowValues } from '../../src/results/row-values.ts'
import { runConfig, runOptions, setUp } from '../experiment/experiments.ts'

const SEEDS = [0, 1, 2]
const near = (seed: string) => `{bm25: {}, after: [{graph-embedding: {weight: 5, ${seed}}}], name: near}`
const TRIALS = `[bm25, {random: {grid: {seed: [${SEEDS}]}}}, ${near(`grid: {seed: [${SEEDS}]}`)}]`

const GRAPH = 'prepare: {graph: [rules, titles]}\n'

const filesOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.parquet') || name === 'summary.json')
      .map((name) => [name, readFileSync(join(folder, name)).toString('base64')]),
  )

async function finished(trials: string, more = '', options = {}) {
  const { config, store, at } = setUp(trials, more)
  await runConfig(config, store, runOptions(at('run'), options))
  const { summary } = await readResults(at('run'))
  return { folder: at('run'), summary, valuesOf: await readRowValues(at('run'), summary) }
}

test('a row over seeds has the means of their values, and the rankings of the first', async () => {
  const { folder, summary, valuesOf } = await finished(TRIALS, GRAPH)
  const single = await Promise.all(
    SEEDS.map((seed) => finished(`[bm25, {random: {seed: ${seed}}}, ${near(`seed: ${seed}`)}]`, GRAPH)),
  )
  expect(summary.trials.map(({ name, seeds }) => [name, seeds])).toEqual([
    ['bm25', undefined],
    ['random', 3],
    ['near', 3],
  ])
  for (const { id, name } of summary.trials) {
    const columns = single.map((one) => {
      const own = one.summary.trials.find((trial) => trial.name === name)
      return one.valuesOf(own?.id ?? '', 'recall@5') ?? new Float64Array()
    })
    if (name !== 'bm25') expect(new Set(columns.map((values) => values.join())).size).toBeGreaterThan(1)
    valuesOf(id, 'recall@5')?.forEach((value, query) => {
      const mean = columns.reduce((sum, values) => sum + values[query], 0) / columns.length
      if (Number.isNaN(value)) expect(mean).toBeNaN()
      else expect(value).toBeCloseTo(mean, 12)
    })
  }
  expect(readFileSync(join(folder, 'rankings.parquet'))).toEqual(
    readFileSync(join(single[0].folder, 'rankings.parquet')),
  )
})

test('seeds of `prepare` are rows of what they change, and change nothing else', async () => {
  const prepared = 'prepare: {embedder: {lsa: {dims: 4, grid: {seed: [0, 1]}}}}\n'
  const { summary } = await finished('[bm25, naive, {fuse: {of: [bm25, naive]}}]', prepared)
  expect(summary.trials.map(({ name, seeds, variant }) => [name, seeds, variant])).toEqual([
    ['bm25', undefined, 0],
    ['naive', 2, 0],
    ['fuse', 2, 0],
  ])
})

test.each(['', 'folds: 3\n'])('rows over seeds are the same for any shards and workers: %j', async (more) => {
  const whole = await finished(TRIALS, GRAPH + more)
  const cut = await finished(TRIALS, GRAPH + more, { shardSize: 3 })
  const two = await finished(TRIALS, GRAPH + more, { executor: threads(2) })
  expect(filesOf(cut.folder)).toEqual(filesOf(whole.folder))
  expect(filesOf(two.folder)).toEqual(filesOf(whole.folder))
})
