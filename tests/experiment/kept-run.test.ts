import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { readSummary } from '../../src/results/read.ts'
import { standIn } from '../cli/stand-in.ts'
import { sharedFolder } from '../temporary.ts'
import { GRID, runConfig, runOptions, writeConfig, writeTowns } from './experiments.ts'

const folder = sharedFolder()
async function touchstone(...argv: string[]) {
  const terminal = standIn({ folder })
  const code = await main(argv, terminal)
  return { code, out: terminal.stdout(), err: terminal.stderr() }
}

beforeAll(async () => {
  writeTowns(join(folder, 'towns'))
  const config = writeConfig(folder, GRID)
  writeFileSync(config, readFileSync(config, 'utf8').replace('recall@100tok', 'recall@100tok, recall_area'))
  const outcome = await runConfig(config, join(folder, 'store'), runOptions(join(folder, 'run')))
  expect(outcome.kind).toBe('finished')
})

describe('a trial leaves the experiment as a run', () => {
  test.each(['gold.trec', 'gold.csv', 'gold.parquet', 'gold.json'])(
    'and scores as in the leaderboard, by %s',
    async (gold) => {
      const summary = readSummary(join(folder, 'run'))
      const measures = summary.measures.filter((name) => !/tok|area/.test(name))
      expect((await touchstone('export', 'run', '-o', gold)).code).toBe(0)
      for (const { name, finalist, measures: means } of summary.trials.slice(0, 5)) {
        expect(finalist).toBe(true)
        const file = gold.replace('gold', 'trial')
        rmSync(join(folder, file), { force: true })
        const { code, out } = await touchstone('export', 'run', '--trial', name, '-o', file)
        expect({ code, out }).toEqual({
          code: 0,
          out: expect.stringMatching(/measures to @(20|100) are those/),
        })
        const options = measures.flatMap((measure) => ['-m', measure])
        const scored = JSON.parse((await touchstone('score', gold, file, ...options, '--json')).out)
        expect(scored.runs[0].queries).toBe(summary.datasets[0].judged)
        for (const measure of measures) expect(scored.runs[0].measures[measure]).toBe(means[measure].mean)
      }
    },
  )
})
