import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary.ts'
import { readManifest, runConfig, runOptions, writeConfig, writeTowns } from '../experiments.ts'

const TRIALS =
  '[naive, bm25, {hybrid: {grid: {alpha: [0.3, 0.7]}}}, {router: {rules: r.yaml, arms: {a: bm25, b: naive}}}]'

function setUp() {
  const folder = temporaryFolder({ 'r.yaml': 'rules: [{any: [weaving], arm: a}]\notherwise: b\n' })
  writeTowns(join(folder, 'towns'), { towns: 24 })
  const run = async (into: string, trials: string, more = '') => {
    const config = writeConfig(folder, trials, more)
    await runConfig(config, join(folder, 'store'), runOptions(join(folder, into), { shardSize: 8 }))
    const { result, steps } = readManifest(join(folder, into), (path) => readFileSync(path, 'utf8'))
    const computed = Object.values(steps.computed).reduce((sum, count) => sum + count, 0)
    return { result, computed }
  }
  return { folder, run }
}

test('rows of an earlier version are taken over: the result has the same bytes as one computed alone', async () => {
  const { run } = setUp()
  const first = await run('experiments/a', TRIALS)
  const changed = await run('experiments/a', TRIALS.replace('0.7', '0.6'))
  const alone = await run('alone/a', TRIALS.replace('0.7', '0.6'))
  expect(changed.result).toBe(alone.result)
  expect(changed.computed).toBeLessThan(alone.computed)
  // Another experiment of fewer trials computes nothing.
  expect((await run('experiments/b', '[bm25, naive]')).computed).toBe(0)
  expect(first.result).not.toBe(changed.result)
})

test('rows are computed again if the depth, a measure, the baseline measure or a label changed, or the part did', async () => {
  const { folder, run } = setUp()
  const { computed } = await run('experiments/a', '[bm25]')
  expect((await run('experiments/b', '[bm25]')).computed).toBe(0)
  expect((await run('experiments/c', '[bm25]', 'depth: 15\n')).computed).toBe(computed)
  const qrels = join(folder, 'towns', 'qrels', 'test.tsv')
  const labels = readFileSync(qrels, 'utf8')
  writeFileSync(qrels, labels.replace(/^(q0\t\S+\t)1$/m, '$12'))
  const relabelled = await run('experiments/d', '[bm25]')
  expect(relabelled.computed).toBeGreaterThan(0)
  expect(relabelled.computed).toBeLessThan(computed)
  writeFileSync(qrels, labels)
  for (const name of ['a', 'b', 'd']) rmSync(join(folder, 'experiments', name), { recursive: true })
  expect((await run('experiments/e', '[bm25]')).computed).toBe(computed)
})
