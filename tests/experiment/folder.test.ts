import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Executor } from '../../src/experiment/executors/executor.ts'
import { inProcess } from '../../src/experiment/executors/in-process.ts'
import type { RunOptions } from '../../src/experiment/run.ts'
import { readLatency, readResults, readSummary } from '../../src/results/read.ts'
import { temporaryFolder } from '../temporary.ts'
import { finishConfig, runOptions, writeConfig, writeTowns } from './experiments.ts'

function setUp(more = '', folder = temporaryFolder()) {
  writeTowns(join(folder, 'towns'), { towns: 12 })
  const at = (name: string) => join(folder, name)
  const said: [string, string][] = []
  const run = async (trials: string, options: Partial<RunOptions> = {}) => {
    said.length = 0
    const say: RunOptions['say'] = (event, path) => said.push([event, path.slice(folder.length + 1)])
    const config = writeConfig(folder, trials, more)
    const outcome = await finishConfig(config, at('store'), runOptions(at('run'), { say, ...options }))
    return outcome
  }
  const hash = () => JSON.parse(readFileSync(join(at('run'), 'plan.json'), 'utf8')).hash.slice(0, 8)
  return { at, run, said, hash }
}

const refuse: Executor = { ...inProcess(() => 0), run: () => Promise.reject(new Error('asked to run')) }

describe('an experiment folder', () => {
  test('of another config is set aside at once, and taken back when that config is run again', async () => {
    const { at, run, said, hash } = setUp()
    await run('[bm25]')
    const [first, bytes] = [hash(), readFileSync(join(at('run'), 'summary.json'), 'utf8')]
    let early: unknown
    const looking: Executor = {
      ...inProcess(() => 0),
      run: (...args) => {
        early = [...said]
        return inProcess(() => 0).run(...args)
      },
    }
    expect((await run('[naive]', { executor: looking })).summary.trials[0].name).toBe('naive')
    expect(early).toEqual([['set aside', `run.${first}`]])
    expect(readSummary(at(`run.${first}`)).trials[0].name).toBe('bm25')
    const second = hash()
    expect(await run('[bm25]', { executor: refuse })).toMatchObject({ ran: 0, whole: true })
    expect(said).toEqual([
      ['set aside', `run.${second}`],
      ['taken back', `run.${first}`],
    ])
    expect(readFileSync(join(at('run'), 'summary.json'), 'utf8')).toBe(bytes)
    expect(readdirSync(at('.')).filter((name) => name.startsWith('run'))).toEqual(['run', `run.${second}`])
    expect(existsSync(join(at('run'), 'lock'))).toBe(false)
  })

  test('of an older version is told by name, and computed again beside the old one', async () => {
    const { at, run, said } = setUp()
    await run('[bm25]')
    for (const name of ['plan.json', 'manifest.json', 'summary.json']) {
      const file = join(at('run'), name)
      const { health: _, routing: __, ...older } = JSON.parse(readFileSync(file, 'utf8'))
      writeFileSync(file, JSON.stringify({ ...older, format: 1 }))
    }
    const message = /summary\.json: was written by another version of touchstone; run the config again/
    expect(() => readSummary(at('run'))).toThrow(message)
    await expect(readResults(at('run'))).rejects.toThrow(message)
    expect((await run('[bm25]')).ran).toBeGreaterThan(0)
    expect(said).toEqual([['set aside', 'run.old-1']])
    expect(existsSync(join(at('run.old-1'), 'parts'))).toBe(true)
    writeFileSync(join(at('run'), 'plan.json'), 'half a plan')
    rmSync(join(at('run'), 'summary.json'))
    await run('[bm25]')
    expect(said).toEqual([['set aside', 'run.old-2']])
  })

  test('names the files that were altered or lost, and puts them together again without a shard', async () => {
    const { at, run, said } = setUp()
    await run('[bm25, naive]')
    const whole = new Map(
      readdirSync(at('run'))
        .filter((name) => /parquet$|summary|manifest/.test(name))
        .map((name) => [name, readFileSync(join(at('run'), name), 'utf8')]),
    )
    const onlyTheRest: Executor = {
      ...inProcess(() => 0),
      run: (_, shards) => (shards.length > 0 ? Promise.reject(new Error('asked to run')) : Promise.resolve()),
    }
    const alter: [string, (file: string) => void][] = [
      [
        'summary.json',
        (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('"mean":', '"mean": ')),
      ],
      ['summary.json', (file) => writeFileSync(file, '{')],
      ['scores.parquet', (file) => writeFileSync(file, readFileSync(file).subarray(0, 100))],
      ['gold.parquet', (file) => rmSync(file)],
      ['manifest.json', (file) => writeFileSync(file, '{"format": 2}')],
      ['texts.parquet', (file) => renameSync(join(file, '..', 'gold.parquet'), file)],
    ]
    for (const [name, damage] of alter) {
      damage(join(at('run'), name))
      expect(await run('[bm25, naive]', { executor: onlyTheRest })).toMatchObject({ ran: 0, whole: false })
      expect(said).toContainEqual(['altered', `run/${name}`])
      for (const [file, text] of whole) expect(readFileSync(join(at('run'), file), 'utf8')).toBe(text)
    }
    expect(await run('[bm25, naive]', { executor: refuse })).toMatchObject({ ran: 0, whole: true })
    expect(said).toEqual([])
  })

  test('that is finished gets its plan and its latencies back, if they were changed or lost', async () => {
    const { at, run, said } = setUp('latency: {queries: 4, repeats: 1}')
    await run('[bm25]')
    const plan = join(at('run'), 'plan.json')
    const latency = join(at('run'), 'timings/latency.json')
    const whole = readFileSync(plan, 'utf8')
    const damage: (() => void)[] = [
      () => writeFileSync(plan, whole.replace(/"depth": \d+/, '"depth": 51')),
      () => writeFileSync(plan, whole.replace(/"hash": "../, '"hash": "00')),
      () => writeFileSync(plan, 'half a plan'),
      () => rmSync(plan),
      () => writeFileSync(latency, readFileSync(latency, 'utf8').replace(/"queries": 4/, '"queries": 5')),
      () => writeFileSync(latency, '{'),
      () => rmSync(latency),
    ]
    for (const [index, damageOne] of damage.entries()) {
      damageOne()
      expect(await run('[bm25]', { executor: refuse }), `${index}`).toMatchObject({ ran: 0, whole: true })
      expect(said).toEqual([])
      expect(readFileSync(plan, 'utf8')).toBe(whole)
      expect(readLatency(at('run'))?.trials).toMatchObject([{ name: 'bm25', queries: 4 }])
    }
    expect(existsSync(join(at('run'), 'lock'))).toBe(false)
  })
})
