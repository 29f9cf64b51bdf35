import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { readSummary } from '../../src/results/read.ts'
import { standIn } from '../cli/stand-in.ts'
import { certifyAgain } from '../results/certify.ts'
import { GRID, runConfig, runOptions, writeConfig, writeTowns } from './experiments.ts'

let folder: string
async function touchstone(...argv: string[]) {
  const terminal = standIn({ folder })
  const code = await main(argv, terminal)
  return { code, out: terminal.stdout(), err: terminal.stderr() }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-kept-'))
  writeTowns(join(folder, 'towns'))
  const config = writeConfig(folder, GRID)
  writeFileSync(config, readFileSync(config, 'utf8').replace('recall@100tok', 'recall@100tok, recall_area'))
  const outcome = await runConfig(config, join(folder, 'store'), runOptions(join(folder, 'run')))
  expect(outcome.kind).toBe('finished')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

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
        const asked = measures.flatMap((measure) => ['-m', measure])
        const scored = JSON.parse((await touchstone('score', gold, file, ...asked, '--json')).out)
        expect(scored.runs[0].queries).toBe(summary.dataset.judged)
        for (const measure of measures) expect(scored.runs[0].measures[measure]).toBe(means[measure].mean)
      }
    },
  )

  test('what is not there is told, with what is', async () => {
    const { code, err } = await touchstone('export', 'run', '--trial', 'naiv', '-o', 'x.trec')
    expect(code).toBe(2)
    expect(err).toContain('there is no trial `naiv` (did you mean "naive"?); rankings are stored for `naive`')
    expect((await touchstone('export', 'run', '--kind', 'run', '-o', 'x.trec')).err).toContain(
      'holds several trials; say --trial NAME',
    )
    expect((await touchstone('export', 'gold.trec', '--trial', 'naive', '-o', 'x.trec')).err).toContain(
      'is not an experiment folder',
    )
  })

  test('a trial that is no finalist: how to keep its rankings', async () => {
    const other = join(folder, 'other')
    cpSync(join(folder, 'run'), other, { recursive: true })
    const summary = JSON.parse(readFileSync(join(other, 'summary.json'), 'utf8'))
    summary.trials[1].finalist = false
    writeFileSync(join(other, 'summary.json'), JSON.stringify(summary))
    certifyAgain(other)
    const { err } = await touchstone('export', 'other', '--trial', summary.trials[1].name, '-o', 'x.trec')
    expect(err).toContain('were not stored; rankings are stored for `naive`')
    expect(err).toContain('use a config of 20 trials or fewer')
  })
})

test.each([['leaderboard'], ['report', '-o', 'x.html'], ['export', '-o', 'x.trec']])(
  '%s shows no number that was edited',
  async (command, ...words) => {
    cpSync(join(folder, 'run'), join(folder, 'edited'), { recursive: true })
    const path = join(folder, 'edited', 'summary.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"mean":0\.\d+/, '"mean":0.999'))
    const { code, out, err } = await touchstone(command, 'edited', ...words)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('edited/summary.json: was changed or lost since it was written')
  },
)
