import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeTowns } from '../experiment/experiments.ts'
import { start } from '../experiment/killing.ts'
import { temporaryFolder } from '../temporary.ts'

test('a finished experiment that may only be read is shown, and run again', async () => {
  const config = 'dataset: towns\ntrials: [bm25]\nmeasures: [recall@1]\ncompare: {by: recall@1, draws: 100}\n'
  const folder = temporaryFolder({ 'a.yaml': config })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const run = (...more: string[]) => ['run', 'a.yaml', ...more]
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
  // An unfinished experiment needs a writable folder.
  expect(again(...run('--set', 'trials=[naive]')).code).toBe(2)
})
