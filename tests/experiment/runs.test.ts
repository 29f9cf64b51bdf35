import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Summary, TrialSummary } from '../../src/results/summary.ts'
import { temporaryFolder } from '../temporary.ts'
import { finishConfig, readManifest, runOptions, writeConfig, writeTowns } from './experiments.ts'

function setUp(files: Readonly<Record<string, string | Uint8Array>>, more: string, trials = '[bm25]') {
  const folder = temporaryFolder(files)
  writeTowns(join(folder, 'towns'))
  const config = writeConfig(folder, trials, more)
  const run = (name = 'run', options = {}) =>
    finishConfig(config, join(folder, 'store'), runOptions(join(folder, name), options))
  const manifest = (name: string) => readManifest(join(folder, name), (path) => readFileSync(path, 'utf8'))
  return { folder, run, manifest }
}

function trialOf(outcome: { summary: Summary }, name: string): TrialSummary {
  const trial = outcome.summary.trials.find((candidate) => candidate.name === name)
  if (!trial)
    throw new Error(`no trial ${name}: ${outcome.summary.trials.map((candidate) => candidate.name)}`)
  return trial
}

/** Finds the first gold document of every even town at rank 2, of q4 at rank 1 by a tie; knows nothing of odd towns. */
const THEIRS = Array.from({ length: 12 }, (_, half) => 2 * half)
  .map((town) =>
    town === 4
      ? 'q4 Q0 d3 1 5 x\nq4 Q0 d4 2 5 x\n'
      : `q${town} Q0 d${town} 9 1e-3 x\nq${town} Q0 d${town + 1} 1 2.5 x\n`,
  )
  .join('')

test('a run stands beside the trials: scored, compared and kept like one', async () => {
  const { run } = setUp({ 'theirs.trec': THEIRS }, 'runs: [theirs.trec]\n')
  const outcome = await run()
  const theirs = trialOf(outcome, 'theirs')
  expect(theirs.strategy).toBe('run')
  expect(theirs.measures['mrr@10']).toMatchObject({ n: 24, mean: (11 * 0.5 + 1) / 24 })
  expect(theirs.measures['recall@1'].mean).toBeCloseTo(1 / 24, 12)
  // 12 odd towns and the unanswerable question.
  expect(theirs.perQuery.unanswered).toBeCloseTo(13 / 25, 12)
  expect(theirs.failed).toBe(0)
  expect(theirs.channels).toEqual({ external: 12 })
  expect(outcome.summary.comparison?.rows.map(({ name }) => name)).toEqual(['theirs'])
})

test('each run is a comparedStrategy of its own, whatever is read in which order', async () => {
  const worse = THEIRS.replaceAll(' 1e-3 ', ' -1 ')
  const files = { 'peers/a.trec': THEIRS, 'peers/b.trec.gz': gzipSync(worse.replaceAll(' d', ' d1')) }
  const { run, manifest, folder } = setUp(files, 'runs: ["peers/*", {path: c.csv, name: third}]\n')
  writeFileSync(join(folder, 'c.csv'), 'query,document,score\nq0,d0,1\nq1,d1,1\nq1,d6,0.5\n')
  await expect(run()).rejects.toThrow(/b\.trec\.gz:\d+: the corpus holds no `d1\d+`/)
  writeFileSync(join(folder, 'peers', 'b.trec.gz'), gzipSync(worse))
  const outcome = await run()
  expect(trialOf(outcome, 'third').measures['recall@5'].mean).toBeCloseTo(2 / 24, 12)
  expect(outcome.summary.comparison?.rows.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['a', 'b', 'third']),
  )
  await run('small', { shardSize: 3 })
  expect(manifest('small').result).toBe(manifest('run').result)
  const { steps } = manifest('run')
  expect(steps.exact).toBe(true)
  expect(steps.planned['read-run']).toBe(3 * 25)
})

test('a document stands for its first chunk where documents are cut', async () => {
  const { run } = setUp(
    { 'theirs.trec': 'q0 Q0 d0 1 1 x\nq2 Q0 d2#0001 1 1 x\nq2 Q0 d9 1 0.5 x\n' },
    'runs: [theirs.trec]\nprepare: {chunk: {sentences: {size: 8}}}\n',
  )
  const theirs = trialOf(await run(), 'theirs')
  expect(theirs.measures['recall@1'].mean).toBeCloseTo(2 / 24, 12)
})
