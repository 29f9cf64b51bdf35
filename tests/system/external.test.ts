import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
// Worker threads need compiled files, so these come from the built package.
import { threads } from '../../dist/experiment/executors/threads.js'
import type { RunOutcome } from '../../src/experiment/run.ts'
import { isAlive } from '../../src/store/processes.ts'
import { readManifest, runConfig, runOptions, writeConfig, writeTowns } from '../experiment/experiments.ts'
import { temporaryFolder } from '../temporary.ts'

const examples = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'docs', 'examples')
const pythonIsThere = spawnSync('python3', ['--version']).status === 0

function setUp(trials: string, files: Readonly<Record<string, string>> = {}, more = '') {
  const folder = temporaryFolder(files)
  writeTowns(join(folder, 'towns'))
  const config = writeConfig(folder, trials, more)
  const run = (name = 'run', options = {}) =>
    runConfig(config, join(folder, 'store'), runOptions(join(folder, name), options))
  const manifest = (name: string) => readManifest(join(folder, name), (path) => readFileSync(path, 'utf8'))
  return { folder, run, manifest }
}

function finished(outcome: RunOutcome) {
  if (outcome.kind !== 'finished') throw new Error('did not finish')
  return outcome.summary
}

/** Remembers who it is, and ends on two of the queries. */
const MOODY = `
import { appendFileSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n')
let ids = []
for await (const line of createInterface({ input: process.stdin })) {
  const { type, id, text, corpus, dataset } = JSON.parse(line)
  if (type === 'hello') {
    appendFileSync(process.argv[2] + '/pids', process.pid + ' ' + dataset + '\\n')
    ids = readFileSync(corpus, 'utf8').trimEnd().split('\\n').map((one) => JSON.parse(one).id)
    say({ type: 'ready' })
  } else if (text.includes('TownC2 ')) { console.error('no towns with a C'); process.exit(4) }
  else if (text.includes('TownE4 ')) say({ type: 'ranking', id, ranking: [['nowhere', 1]] })
  else say({ type: 'ranking', id, ranking: ids.slice(0, 5).map((one, place) => [one, -place]), counters: { calls: 3 } })
}
`

describe('a system that ends in the middle', () => {
  const trials = (place: string) =>
    `[bm25, {name: moody, external: {command: ["${process.execPath}", moody.mjs, "${place}"]}}]`

  test('fails those queries, counted and told, the same with one worker and with two; nothing runs on', async () => {
    // The system's folder, not its file: what a command names is part of the trial.
    const place = temporaryFolder()
    const log = join(place, 'pids')
    const { folder, run, manifest } = setUp(trials(place), { 'moody.mjs': MOODY })
    const [, moody] = finished(await run()).trials
    expect(moody.name).toBe('moody')
    expect(moody.failed).toBe(2)
    expect(moody.failures).toEqual([
      {
        query: 'q2',
        step: 'external',
        message: expect.stringMatching(/code 4; its last output: no towns with a C/),
      },
      {
        query: 'q4',
        step: 'external',
        message: expect.stringMatching(/a chunk that does not exist: `"nowhere"`/),
      },
    ])
    expect(moody.perQuery.calls).toBeCloseTo((3 * 23) / 25, 12)
    expect(moody.channels.external).toBeGreaterThan(0)
    await run('threads', { executor: threads(2) })
    expect(manifest('threads').files).toEqual(manifest('run').files)

    const started = readFileSync(log, 'utf8').trimEnd().split('\n')
    expect(started.length).toBeGreaterThan(4)
    expect(started[0].split(' ')[1]).toBe(join(folder, 'towns'))
    for (let wait = 0; wait < 600 && started.some((line) => isAlive(Number.parseInt(line, 10), null)); wait++)
      await new Promise((resolve) => setTimeout(resolve, 100))
    expect(started.filter((line) => isAlive(Number.parseInt(line, 10), null))).toEqual([])
  })

  test('is another trial when its file is edited', async () => {
    // The system's folder, not its file: what a command names is part of the trial.
    const place = temporaryFolder()
    const log = join(place, 'pids')
    const { folder, run } = setUp(trials(place), { 'moody.mjs': MOODY })
    const before = finished(await run())
    expect((await run()).kind === 'finished' && readFileSync(log, 'utf8').split('\n').length).toBeGreaterThan(
      1,
    )
    const starts = readFileSync(log, 'utf8')
    // Complete already: nothing is started.
    await run()
    expect(readFileSync(log, 'utf8')).toBe(starts)
    writeFileSync(join(folder, 'moody.mjs'), MOODY.replace('calls: 3', 'calls: 4'))
    const after = finished(await run())
    expect(after.trials[1].id).not.toBe(before.trials[1].id)
    expect(after.trials[1].perQuery.calls).toBeGreaterThan(before.trials[1].perQuery.calls)
  })
})

describe('a command that is not there', () => {
  test('is an error of the config, with its place', async () => {
    const { run } = setUp(
      '[bm25, {external: {command: [no-such-command-here]}}, {external: {command: [./mine]}}]',
    )
    const error = await run().catch((caught: Error) => caught)
    expect(String(error)).toMatch(/towns\.yaml:3:\d+: there is no command `no-such-command-here`\n/)
    expect(String(error)).toMatch(/towns\.yaml:3:\d+: there is no command `.*\/mine`/)
  })

  test('nor is one without words', async () => {
    await expect(setUp('[{external: {command: []}}]').run()).rejects.toThrow(
      /towns\.yaml:3:\d+: `command` must have at least 1/,
    )
    await expect(setUp('[external]').run()).rejects.toThrow(/external lacks `command`/)
  })
})

test('a system that does not get ready stops the run with its last words', async () => {
  const { run } = setUp(`[{external: {command: ["${process.execPath}", broken.mjs]}}]`, {
    'broken.mjs': 'throw new Error("the model is not there")',
  })
  await expect(run()).rejects.toThrow(/ended with code 1; its last output: [\s\S]*the model is not there/)
})

describe('the examples of the docs', () => {
  test('in JavaScript', async () => {
    const { run } = setUp(`[bm25, {external: {command: [node, "${join(examples, 'shared-words.mjs')}"]}}]`)
    const [, trial] = finished(await run()).trials
    expect(trial.failed).toBe(0)
    expect(trial.perQuery.compared).toBe(24)
    expect(trial.measures['recall@5'].mean).toBeGreaterThan(0.5)
  })

  test.skipIf(!pythonIsThere && process.env.CI !== 'true')(
    pythonIsThere ? 'in Python' : 'in Python (skipped: python3 is not there)',
    async () => {
      const { folder, run, manifest } = setUp(
        '[bm25, {name: words, external: {command: [python3, words.py]}}]',
        {
          'words.py': readFileSync(join(examples, 'hashed_words.py'), 'utf8'),
        },
      )
      const [, trial] = finished(await run()).trials
      expect(trial.failed).toBe(0)
      expect(trial.measures['recall@5'].mean).toBeGreaterThan(0.5)
      await run('threads', { executor: threads(2) })
      expect(manifest('threads').result).toBe(manifest('run').result)
      expect(existsSync(join(folder, 'store', 'chunk_lines'))).toBe(true)
    },
  )
})
