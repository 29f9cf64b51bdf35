import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { PARTS } from '../../scripts/systems-figures.ts'
import { WORLDS } from '../../scripts/worlds/worlds.ts'
import { readSummary } from '../../src/results/read.ts'
import { readTable } from '../../src/tables/parquet.ts'
import { callsIn } from '../cli/calls.ts'
import { temporaryFolder } from '../temporary.ts'

const root = resolve(import.meta.dirname, '../..')

/** Parts that change nothing in their place, with the reason. */
const STILL = {
  // The reranker's words put back what a code has lifted; before it the code lifts (the next part).
  'rag-ing': ['domain codes (004)'],
}

test.each(Object.keys(WORLDS))('%s: each part moves a question of its world', async (name) => {
  const folder = temporaryFolder()
  const { call } = callsIn(folder)
  const config = join(root, 'configs/systems', `${name}.yaml`)
  const settings = ['--workers', '1', '-o', 'run', '--store', 'store', '--set', 'compare.draws=200']
  // Times are no part of this.
  const quick = name === 'six-strategies' ? ['--set', 'latency={queries: 1, repeats: 1}'] : []
  expect(await call('run', config, ...settings, ...quick)).toMatchObject({ code: 0 })
  const { trials, measures } = readSummary(join(folder, 'run'))
  const table = await readTable(join(folder, 'run/scores.parquet'), ['trial', ...measures])
  const trial = table.numbers('trial')
  const columns = measures.map((measure) => table.numbers(measure))
  const scoresOf = (row: string) => {
    const index = trials.findIndex(({ name }) => name === row)
    expect(index, row).toBeGreaterThanOrEqual(0)
    const at = [...trial.keys()].filter((place) => trial[place] === index)
    return columns.map((values) => at.map((place) => values[place]))
  }
  const parts = PARTS.filter(({ config }) => config === name)
  const still = parts.filter(
    ({ now, before }) => JSON.stringify(scoresOf(now)) === JSON.stringify(scoresOf(before)),
  )
  expect(still.map(({ part }) => part)).toEqual(STILL[name as keyof typeof STILL] ?? [])
})
