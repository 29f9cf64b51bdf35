import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect } from 'vitest'
import type { Manifest } from '../../src/results/summary.ts'
import { sha256 } from '../../src/store/hash.ts'
import { readManifest, writeTowns } from './experiments.ts'

/** The built command line, as a user starts it. */
const BIN = resolve('bin/touchstone.js')

/**
 * Takes a moment (WAIT milliseconds) over every query, so that a run is long enough to be hit anywhere; stands still while the
 * file HOLD is there.
 */
const SLOW = `import { existsSync } from 'node:fs'
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time))
export default ({ defineStrategy, steps, z }) => {
  const index = { k1: 0.9, b: 0.4, idf: 'lucene' }
  const wait = steps.defineStep({ name: 'wait', version: 1, yields: 'ranking', run: async ([ranking]) => {
    await pause(Number(process.env.WAIT ?? 20))
    while (process.env.HOLD && existsSync(process.env.HOLD)) await pause(20)
    return ranking
  } })
  return defineStrategy({ name: 'slow', summary: 'waits', source: 'here', params: z.strictObject({}),
    make: () => ({ retrieve: (query) => ({ ranking: wait([steps.searchBm25([query], { depth: 10, index })], null) }) }) })
}`

/** Nothing to fit: a run is short, and a killed one begins soon again. */
const TRIALS = '[bm25, {bm25: {grid: {k1: [0.5, 1.5], b: [0.2, 0.8], pool: [5, 20]}}}, ./slow.mjs]'

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

export interface Started {
  readonly process: ChildProcess
  readonly ended: Promise<Ended>
}

/** An experiment on disk, as a user has it. */
export function writeExperiment(folder: string, trials = TRIALS): string {
  writeTowns(join(folder, 'towns'))
  writeFileSync(join(folder, 'slow.mjs'), SLOW)
  writeFileSync(
    join(folder, 'towns.yaml'),
    `name: towns\ndataset: towns\ntrials: ${trials}\nmeasures: [recall@1, recall@5, ndcg@10]\ncompare: {draws: 200}\nfolds: 2\n`,
  )
  return folder
}

export function start(folder: string, words: readonly string[], env: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [BIN, ...words], { cwd: folder, env: { ...process.env, ...env } })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  const ended = new Promise<Ended>((done) => {
    child.on('close', (code, signal) => done({ code, signal, out, err }))
  })
  return { process: child, ended }
}

export const RUN = ['run', 'towns.yaml', '--workers', '2', '--shard-size', '2', '--json']
export const SHARDS = 13

export const parts = (folder: string): string[] => {
  const place = join(folder, 'experiments', 'towns', 'parts')
  const plans = existsSync(place) ? readdirSync(place) : []
  return plans.flatMap((plan) =>
    readdirSync(join(place, plan))
      .filter((file) => file.endsWith('.parquet'))
      .map((file) => join(place, plan, file)),
  )
}

/** Parts whose bytes hash to their name. */
export const wholeParts = (folder: string): string[] =>
  parts(folder).filter((path) => path.includes(`-${sha256(readFileSync(path)).slice(0, 16)}.parquet`))

export async function until(condition: () => boolean, what: string): Promise<void> {
  for (let wait = 0; wait < 10_000; wait++) {
    if (condition()) return
    await new Promise((again) => setTimeout(again, 10))
  }
  throw new Error(`never: ${what}`)
}

export function manifestOf(folder: string): Manifest {
  return readManifest(join(folder, 'experiments', 'towns'), (path) => readFileSync(path, 'utf8'))
}

/** Runs to the end. Returns how many shards that took. */
export async function finish(folder: string): Promise<number> {
  const { code, out, err } = await start(folder, RUN).ended
  expect(code, err).toBe(0)
  return JSON.parse(out).ran
}

/** The result is the undisturbed one, and nothing else is left. */
export function expectUndisturbed(folder: string, undisturbed: Manifest): void {
  const { result, files, steps } = manifestOf(folder)
  expect(files).toEqual(undisturbed.files)
  expect(result).toBe(undisturbed.result)
  // Nothing was counted twice.
  expect(steps).toEqual(undisturbed.steps)
  const left = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  expect(left.filter((file) => /\.tmp$|lock$/.test(file))).toEqual([])
}

/** Numbers from 0 to 1, the same for the same seed. */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const STAGES = ['preparing', 'running', 'finishing', 'complete'] as const

/** Stage of the run in `folder`, by its files. */
function stageOf(folder: string): (typeof STAGES)[number] {
  const experiment = join(folder, 'experiments', 'towns')
  if (existsSync(join(experiment, 'summary.json'))) return 'complete'
  if (!existsSync(join(experiment, 'plan.json'))) return 'preparing'
  return parts(folder).length === SHARDS ? 'finishing' : 'running'
}

/**
 * Kills a run (or a task, `run --shards`, where a plan is there) at `moments` random moments, resuming each
 * time; begins anew whenever a run is complete. A moment is a stage, all as likely, and a delay from its beginning.
 * Returns how often the kill hit which stage.
 */
export async function killAtRandom(folder: string, moments: number, seed: number) {
  const draw = random(seed)
  const began = performance.now()
  await finish(folder)
  // The first run is the slowest: later ones would mostly be over before the last moments.
  const whole = performance.now() - began
  const undisturbed = manifestOf(folder)
  const hit = { preparing: 0, running: 0, finishing: 0, complete: 0, worker: 0, resumed: 0 }
  const clean = () => {
    for (const name of ['experiments', 'reports', '.touchstone'])
      rmSync(join(folder, name), { recursive: true, force: true })
  }
  clean()
  for (let moment = 0; moment < moments; moment++) {
    const asWorker = stageOf(folder) !== 'preparing' && draw() < 0.3
    const words = asWorker ? [...RUN, '--shards', `${1 + Math.floor(draw() * SHARDS)}/${SHARDS}`] : RUN
    const { process: child, ended } = start(folder, words)
    const wanted = asWorker ? 0 : Math.floor(draw() * 3)
    while (STAGES.indexOf(stageOf(folder)) < wanted && child.exitCode === null)
      await new Promise((again) => setTimeout(again, 2))
    const longest = asWorker ? 0.5 : [0.3, 0.2, 0.04][wanted]
    await new Promise((resume) => setTimeout(resume, draw() * whole * longest))
    child.kill('SIGKILL')
    await ended
    const done = wholeParts(folder).length
    const stage = stageOf(folder)
    hit[asWorker ? 'worker' : stage]++
    // Now and then two kills in a row.
    if (draw() < 0.3 && moment + 1 < moments) continue
    const ran = await finish(folder)
    // A shard with a complete part is not run again.
    expect(ran).toBe(stage === 'complete' ? 0 : SHARDS - done)
    hit.resumed++
    expectUndisturbed(folder, undisturbed)
    clean()
  }
  return hit
}
