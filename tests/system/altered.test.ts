import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callsInTowns } from '../cli/calls.ts'

const CONFIG = 'dataset: towns\ntrials: [bm25]\nmeasures: [recall@5]\ncompare: {draws: 200}\n'
const RUN = ['run', 'a.yaml', '--workers', '1'] as const

test('an altered experiment.yaml is refused by every reader of an experiment, and repaired by `run`', async () => {
  const { folder, call } = callsInTowns(CONFIG)
  await call(...RUN)
  const file = join(folder, 'experiments/a/experiment.yaml')
  const whole = readFileSync(file, 'utf8')
  const readers = [
    ['report', 'experiments/a'],
    ['compare', 'experiments/a', 'experiments/a'],
    ['leaderboard', 'experiments/a'],
    ['gate', 'experiments/a', '--baseline', 'experiments/a'],
    ['gate', 'experiments/a', '--write', 'expected.json'],
    ['export', 'experiments/a', '--trial', 'bm25', '-o', 'bm25.trec'],
  ]
  for (const text of ['', 'garbage', whole.slice(0, 50), `${whole}seed: 99\n`, whole.replace('bm25', 'bm26')])
    for (const argv of readers) {
      writeFileSync(file, text)
      const { code, err } = await call(...argv)
      expect({ code, err }, argv.join(' ')).toEqual({
        code: 2,
        err: expect.stringMatching(
          /experiments\/a\/experiment\.yaml: was changed or lost since it was written/,
        ),
      })
    }
  expect((await call(...RUN)).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(whole)
  expect((await call('report', 'experiments/a')).code).toBe(0)
})

test('of several datasets, an altered file of one is refused with the table over all', async () => {
  const { folder, call } = callsInTowns(CONFIG.replace('towns', '[towns, more]'))
  expect((await call(...RUN)).code).toBe(0)
  for (const name of ['towns/scores.parquet', 'more/experiment.yaml', 'more/summary.json', 'summary.json']) {
    const file = join(folder, 'experiments/a', name)
    const whole = readFileSync(file)
    const flipped = Buffer.from(whole)
    flipped[whole.length - 20] ^= 1
    writeFileSync(file, flipped)
    for (const command of ['leaderboard', 'report']) {
      const { code, err } = await call(command, 'experiments/a')
      expect({ code, err }, `${command} ${name}`).toEqual({
        code: 2,
        err: expect.stringContaining(`experiments/a/${name}: `),
      })
    }
    writeFileSync(file, whole)
  }
  expect((await call('leaderboard', 'experiments/a')).code).toBe(0)
})

test('a JSON file of any other shape is a message with its path', async () => {
  const { folder, call } = callsInTowns(CONFIG)
  await call(...RUN)
  const store = join(folder, '.touchstone', 'text_units')
  const artifact = join(store, readdirSync(store)[0], 'artifact.json')
  const manifest = join(folder, 'experiments/a/manifest.json')
  for (const [file, argv] of [
    [artifact, ['ask', 'a.yaml', 'What does TownA0 live by?']],
    [manifest, ['report', 'experiments/a']],
  ] as const) {
    const whole = readFileSync(file, 'utf8')
    const value = JSON.parse(whole)
    const shapes: unknown[] = [null, [], 5, 'x', {}, [value]]
    for (const key of Object.keys(value))
      for (const wrong of [undefined, null, 5, 'x', [], {}, [null], { a: null }, { a: { bytes: 'x' } }])
        if (JSON.stringify(wrong) !== JSON.stringify(value[key])) shapes.push({ ...value, [key]: wrong })
    for (const shape of shapes) {
      writeFileSync(file, JSON.stringify(shape))
      const { code, err } = await call(...argv)
      expect(err, JSON.stringify(shape)).not.toMatch(/\n\s+at /)
      expect([0, 2], `${JSON.stringify(shape)}: ${err}`).toContain(code)
      if (typeof shape !== 'object' || shape === null || Array.isArray(shape))
        expect(err).toContain('.json: ')
    }
    writeFileSync(file, JSON.stringify({ ...value, files: undefined }))
    expect((await call(...argv)).code).toBe(2)
    writeFileSync(file, whole)
  }
})
