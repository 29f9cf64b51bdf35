import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { writeTowns } from '../experiment/experiments.ts'
import { start, until } from '../experiment/killing.ts'
import { temporaryFolder } from '../temporary.ts'

/** Three seconds of work that nothing can interrupt, for every query; none where FAST is set. */
const BUSY = `import { writeFileSync } from 'node:fs'
export default ({ defineStrategy, steps, z }) => {
  const index = { k1: 0.9, b: 0.4, idf: 'lucene', stemmer: 'porter2', stopwords: 'english' }
  const work = steps.defineStep({ name: 'work', version: 1, yields: 'ranking', run: ([ranking]) => {
    writeFileSync('begun', '')
    const end = performance.now() + (process.env.FAST ? 0 : 3000)
    while (performance.now() < end);
    return ranking
  } })
  return defineStrategy({ name: 'busy', summary: 'works', source: 'here', params: z.strictObject({}),
    retrieve: ({ query }) => ({ ranking: work([steps.searchBm25([query], { depth: 10, index })], null) }) })
}`

/** An experiment whose one shard holds 49 queries. */
function setUp(trials: string, files: Readonly<Record<string, string>>): string {
  const config = `dataset: towns\ntrials: ${trials}\nmeasures: [recall@1]\ncompare: {by: recall@1, draws: 100}\n`
  const folder = temporaryFolder({ 'a.yaml': config, ...files })
  writeTowns(join(folder, 'towns'), { towns: 48 })
  return folder
}

const run = (...more: string[]) => ['run', 'a.yaml', '--shard-size', '100', ...more]

// Its 49 queries would take longer than a test may.
describe('SIGTERM ends a run in the middle of a shard', () => {
  test.each(['1', '2'])('with %s workers', async (workers) => {
    const folder = setUp('[./busy.mjs]', { 'busy.mjs': BUSY })
    const words = run('--workers', workers)
    const { process: child, ended } = start(folder, words)
    await until(() => existsSync(join(folder, 'begun')), 'the first query')
    child.kill('SIGTERM')
    const { code, signal, err } = await ended
    // A process that had to be ended ends by the signal, which a shell shows as 143 too.
    expect(signal ?? code, err).toBeOneOf([143, 'SIGTERM'])
    expect(err).toContain('resume with the same command')
    expect(err).not.toContain('can no longer arrive')
    expect(readdirSync(join(folder, 'experiments', 'a'))).not.toContain('lock')
    const resumed = await start(folder, [...words, '--json'], { FAST: '1' }).ended
    expect(resumed.code, resumed.err).toBe(0)
    expect(JSON.parse(resumed.out).ran).toBe(1)
  })
})

test('a finished experiment that may only be read is shown, and run again', async () => {
  const folder = setUp('[bm25]', {})
  expect((await start(folder, run()).ended).code).toBe(0)
  // The administrator may write anywhere, so another user reads what is his.
  const administrator = process.getuid?.() === 0
  const mode = (way: string) => spawnSync('chmod', ['-R', way, folder])
  mode(administrator ? 'go+rX,go-w' : 'a-w')
  onTestFinished(() => void mode('u+w'))
  const again = (...words: string[]) => {
    const asUser = administrator ? { uid: 65_534, gid: 65_534 } : {}
    const { status, stdout, stderr } = spawnSync(process.execPath, [resolve('bin/touchstone.js'), ...words], {
      cwd: folder,
      encoding: 'utf8',
      ...asUser,
    })
    return { code: status, out: stdout, err: stderr }
  }
  const before = readdirSync(folder, { recursive: true }).sort()
  const ran = again(...run())
  expect(ran).toMatchObject({ code: 0, err: '' })
  expect(ran.out).toMatch(/^the result is complete and unchanged; nothing was computed\n/)
  expect(ran.out).toContain('report: reports/a.html, unchanged')
  expect(again('leaderboard', 'experiments/a')).toMatchObject({ code: 0, err: '' })
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before)
  // What is not finished needs a folder that can be written.
  expect(again(...run('--set', 'trials=[naive]')).code).toBe(2)
})
