import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { openSession } from '../../src/experiment/shard/session.ts'
import { leaderboardText } from '../../src/report/leaderboard.ts'
import { readResults } from '../../src/results/read.ts'
import { temporaryFolder } from '../temporary.ts'
import { finishConfig, runOptions, writeTowns } from './experiments.ts'

/** Recall again, and the mean rank of what was found: low is good, and no share. */
const AGAIN = `export default ({ within }) => ({
  name: 'again', summary: 's',
  score: ({ found, relevant }, { k }) => within(found, k) / relevant,
})`
const RANK = `export default { name: 'mean_rank', summary: 's', cutoff: 'none', bounded: false, better: 'lower',
  score: ({ found }) => (found.length === 0 ? NaN : found.reduce((sum, rank) => sum + rank, 0) / found.length) }`

const READ = { set: [], env: {}, folder: '.' }

function project(measures: string, more = '', files: Readonly<Record<string, string>> = {}): string {
  const folder = temporaryFolder({ 'again.mjs': AGAIN, 'rank.mjs': RANK, ...files })
  writeTowns(join(folder, 'towns'))
  const config = join(folder, 'towns.yaml')
  writeFileSync(
    config,
    `name: towns\ndataset: towns\ntrials: [bm25, naive]\nmeasures: ${measures}\ncompare: {draws: 200${more}}\n`,
  )
  return config
}

async function finished(config: string) {
  const folder = join(config, '../run')
  const outcome = await finishConfig(config, join(config, '../store'), runOptions(folder))
  return { folder, ...outcome }
}

test('scores beside the product’s metrics, is what trials are compared by, and a reader of the results needs no file', async () => {
  const config = project('[recall@5, ./again.mjs@5, ./rank.mjs]', ', by: ./again.mjs@5')
  const { summary, folder } = await finished(config)
  expect(summary.measures).toEqual(['recall@5', 'again@5', 'mean_rank'])
  expect(summary.primary).toBe('again@5')
  for (const { measures } of summary.trials) {
    expect(measures['again@5'].mean).toBe(measures['recall@5'].mean)
    expect(measures.mean_rank.mean).toBeGreaterThanOrEqual(1)
  }
  expect(summary.scales).toEqual({
    'again@5': { bounded: true, better: 'higher' },
    mean_rank: { bounded: false, better: 'lower' },
  })
  expect(JSON.stringify(summary)).not.toContain('mjs')
  writeFileSync(join(config, '../again.mjs'), '')
  const results = await readResults(folder)
  expect(leaderboardText(results.summary, null, { columns: 200 })).toContain('mean_rank')
})

test('in another process, by its full form, and elsewhere it is the same experiment with the same result', async () => {
  const config = project('[./again.mjs@5, recall@1]')
  const { folder, result } = await hashed(config)
  const { measures } = await openSession(folder)
  expect(measures.map(({ name }) => name)).toEqual(['again@5', 'recall@1'])
  const yaml = readFileSync(join(folder, 'experiment.yaml'), 'utf8')
  expect(yaml).toContain(`${join(config, '../again.mjs')}@5`)
  const again = join(config, '../again.yaml')
  copyFileSync(join(folder, 'experiment.yaml'), again)
  expect((await loadConfig(again, READ)).measures).toEqual(['again@5', 'recall@1'])
  expect((await hashed(project('[./again.mjs@5, recall@1]'))).result).toBe(result)
  const other = project('[./again.mjs@5, recall@1]', '', {
    'again.mjs': AGAIN.replace('/ relevant', '/ (1 + relevant)'),
  })
  expect((await hashed(other)).plan).not.toBe(
    JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8')).hash,
  )

  async function hashed(at: string) {
    const { folder } = await finished(at)
    const { result, plan } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
    return { folder, result, plan }
  }
})
