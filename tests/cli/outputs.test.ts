import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'
import { standIn } from './stand-in.ts'

function setUp(config: string) {
  const folder = temporaryFolder({ 'a.yaml': config })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const at = (path: string) => join(folder, path)
  const call = async (...argv: string[]) => {
    const terminal = standIn({ folder })
    return { code: await main(argv, terminal), out: terminal.stdout(), err: terminal.stderr() }
  }
  return { at, call }
}

test('a finished result and its report are left as they stand; a changed report is written again', async () => {
  const { at, call } = setUp('dataset: towns\ntrials: [bm25]\n')
  await call('run', 'a.yaml', '--workers', '1')
  const html = readFileSync(at('reports/a.html'), 'utf8')
  utimesSync(at('reports/a.html'), 1, 1)
  const again = await call('run', 'a.yaml', '--workers', '1')
  expect(again.out).toMatch(/^the result is complete and unchanged; nothing was computed\n/)
  expect(again.out).toContain('report: reports/a.html, unchanged')
  expect(statSync(at('reports/a.html')).mtimeMs).toBe(1000)
  writeFileSync(at('reports/a.html'), html.slice(0, 1000))
  expect((await call('run', 'a.yaml', '--workers', '1')).out).toMatch(/^report: reports\/a\.html$/m)
  expect(readFileSync(at('reports/a.html'), 'utf8')).toBe(html)
})

test('export takes every name that the leaderboard shows: whole, brief, and of a tuned strategy', async () => {
  const config = `dataset: towns
trials:
  - bm25
  - hybrid: { grid: { alpha: [0, 0.5, 1] } }
folds: 3
`
  const { at, call } = setUp(config)
  const text = (path: string) => readFileSync(at(path), 'utf8')
  expect((await call('run', 'a.yaml', '--workers', '1')).err).toBe('')
  const summary = JSON.parse(text('experiments/a/summary.json'))
  const read = async (name: string, file: string) => {
    const { code, err } = await call('export', 'experiments/a', '--trial', name, '-o', file)
    return code === 0 ? text(file).replaceAll(/ \S+$/gm, '') : err
  }
  const whole = await Promise.all(
    [0, 0.5, 1].map((alpha) => read(`hybrid alpha=${alpha}`, `whole-${alpha}.trec`)),
  )
  expect(await read('hybrid 0.5', 'brief.trec')).toBe(whole[1])
  // Each query's lines are those of the trial that was chosen on the other folds.
  const tuned = (await read('hybrid', 'tuned.trec')).trim().split('\n')
  expect(tuned.length).toBeGreaterThan(10)
  for (const line of tuned) expect(whole.some((one) => one.includes(line))).toBe(true)
  const scored = await call('export', 'experiments/a', '--to', 'trec', '-o', 'gold.qrels').then(() =>
    call('score', 'gold.qrels', 'tuned.trec', '-m', 'recall@5', '--json'),
  )
  const row = summary.tuned.find(({ name }: { name: string }) => name === 'hybrid')
  expect(JSON.parse(scored.out).runs[0].measures['recall@5']).toBeCloseTo(row.measures['recall@5'].mean, 12)
  expect(await read('hybird', 'none.trec')).toContain('there is no trial `hybird` (did you mean "hybrid"?)')
})
