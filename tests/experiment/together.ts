import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { listEntries } from '../../src/store/folder.ts'
import { temporaryFolder } from '../temporary.ts'
import { writeTowns } from './experiments.ts'
import { start } from './killing.ts'

const PROCESSES = ['a', 'b', 'c', 'd']

/** Starts four runs at once on one new store, each with a folder of its own, as often as `rounds` says. */
export async function runTogether(rounds: number): Promise<void> {
  const folder = temporaryFolder()
  writeTowns(join(folder, 'towns'), { towns: 8 })
  writeFileSync(
    join(folder, 'towns.yaml'),
    'dataset: towns\ntrials: [naive, bm25]\nmeasures: [recall@1]\ncompare: {by: recall@1, draws: 100}\n',
  )
  const results = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    const at = (name: string) => join(`round${round}`, name)
    const store = at('store')
    const words = (name: string) => [
      'run',
      'towns.yaml',
      '--workers',
      '1',
      '--store',
      store,
      '--out',
      at(name),
      '--report',
      at(`${name}.html`),
    ]
    const ended = await Promise.all(PROCESSES.map((name) => start(folder, words(name)).ended))
    for (const { code, err } of ended) expect({ code, err, round }).toEqual({ code: 0, err: '', round })
    for (const name of PROCESSES)
      results.add(JSON.parse(readFileSync(join(folder, at(name), 'manifest.json'), 'utf8')).result)
    // Every folder of the store is a whole artifact, once, or vectors.
    const entries = listEntries(join(folder, store))
    const names = readdirSync(join(folder, store), { recursive: true, encoding: 'utf8' })
    const keyed = names.filter((path) => /^[^/]+\/[0-9a-f]{32}$/.test(path) && !path.startsWith('vectors'))
    expect(entries).toHaveLength(keyed.length)
    expect(entries.length).toBeGreaterThan(3)
    expect(names.filter((path) => path.endsWith('.tmp'))).toEqual([])
  }
  expect(results.size).toBe(1)
}
