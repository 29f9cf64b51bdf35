import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { listEntries } from '../../src/store/clean.ts'
import { standIn } from '../cli/stand-in.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'

test('keeps what the named experiments were made from and what that was built from, and touches nothing else', async () => {
  const folder = temporaryFolder({
    'a.yaml': 'dataset: towns\ntrials: [naive]\ncompare: {draws: 200}\n',
    'b.yaml': 'dataset: towns\ntrials: [{bm25: {stemmer: none}}]\ncompare: {draws: 200}\n',
  })
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const call = async (...argv: string[]) => {
    const terminal = standIn({ folder })
    return { code: await main(argv, terminal), out: terminal.stdout(), err: terminal.stderr() }
  }
  await call('run', 'a.yaml', '--workers', '1')
  await call('run', 'b.yaml', '--workers', '1')
  const store = join(folder, '.touchstone')
  mkdirSync(join(store, 'embedder', 'cache'), { recursive: true })
  writeFileSync(join(store, 'embedder', 'cache', 'vectors'), 'paid for')
  mkdirSync(join(store, 'mine', 'notes'), { recursive: true })
  writeFileSync(join(store, 'mine', 'notes', 'artifact.json'), 'not yours')

  expect((await call('clean', '.touchstone')).err).toContain('say which experiments to keep')
  expect((await call('clean', 'towns', '--all')).err).toContain('is it a store?')
  expect((await call('clean', '.touchstone', '--keep', 'towns')).err).toContain('is not an experiment folder')
  const before = listEntries(store)
  const dry = JSON.parse(
    (await call('clean', '.touchstone', '--keep', 'experiments/a', '--dry-run', '--json')).out,
  )
  expect(dry.removed.map(({ name }: { name: string }) => name).sort()).toEqual(['term_counts'])
  expect(listEntries(store)).toEqual(before)

  const { code, out } = await call('clean', '.touchstone', '--keep', 'experiments/a')
  expect(code).toBe(0)
  expect(out).toMatch(/term_counts .* kB\nremoved: 1 folders, /)
  const left = listEntries(store)
  expect(left).toEqual(before.filter(({ key }) => key !== dry.removed[0].key))
  const kept = Object.values(
    JSON.parse(readFileSync(join(folder, 'experiments/a/manifest.json'), 'utf8')).artifacts,
  )
  const keys = left.map(({ key }) => key)
  for (const key of kept) if (before.some((entry) => entry.key === key)) expect(keys).toContain(key)
  // Nothing has to be prepared again for what was kept.
  expect((await call('prepare', 'a.yaml')).out).toBe('everything is prepared already\n')

  await call('clean', '.touchstone', '--all')
  expect(listEntries(store)).toEqual([])
  expect(existsSync(join(store, 'mine', 'notes', 'artifact.json'))).toBe(true)
})
