import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { openSession } from '../../src/experiment/shard/session.ts'
import { leaderboardText } from '../../src/report/leaderboard.ts'
import { readResults } from '../../src/results/read.ts'
import { temporaryFolder } from '../temporary.ts'
import { runConfig, runOptions, writeTowns } from './experiments.ts'

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
  const outcome = await runConfig(config, join(config, '../store'), runOptions(folder))
  if (outcome.kind !== 'finished') throw new Error('did not finish')
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

test('a shard refuses a metric whose file was changed since the plan', async () => {
  const config = project('[./again.mjs@5]')
  const { folder } = await finished(config)
  writeFileSync(join(config, '../again.mjs'), `${AGAIN}\n`)
  await expect(openSession(folder)).rejects.toThrow('again.mjs: was changed since the config was read')
})

describe('what is wrong is told at its place in the config, all at once', () => {
  test.each([
    [
      '[./none.mjs@5, recal@5]',
      [/:4:12: .*none\.mjs: there is no such file \(a metric\)/, /:4:\d+: .*recall@5/],
    ],
    ['[./again.mjs]', [/:4:12: `again` needs a cutoff/]],
    ['[./again.mjs@500]', [/:4:12: .*needs 500 ranks/]],
    ['[./none.mts@5]', [/:4:12: .*none\.mts: there is no such file \(a metric\)/]],
    ['[./again.mjs@5, ./again.mjs@5]', [/:4:\d+: .*occurs twice/]],
    ['[./taken.mjs@5]', [/taken\.mjs calls itself `recall`, which is a metric already/]],
    ['[./again.mjs@5, ./twin.mjs@5]', [/both call themselves `again`/]],
  ])('%s', async (measures, messages) => {
    const named = (name: string) => AGAIN.replace("'again'", `'${name}'`)
    const config = project(measures, '', { 'taken.mjs': named('recall'), 'twin.mjs': named('again') })
    const error: Error = await loadConfig(config, READ).catch((error) => error)
    for (const message of messages) expect(error.message).toMatch(message)
  })
})
