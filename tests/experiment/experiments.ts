import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/load.ts'
import { inProcess } from '../../src/experiment/executors/in-process.ts'
import type { Processes } from '../../src/experiment/lock.ts'
import { requireFit } from '../../src/experiment/plan/fit.ts'
import { openExperiment } from '../../src/experiment/plan/open.ts'
import { prepareAll } from '../../src/experiment/plan/prepare.ts'
import { trackSpending } from '../../src/experiment/plan/spending.ts'
import { type RunOptions, type RunOutcome, runFolder } from '../../src/experiment/run.ts'
import type { Manifest, TrialSummary } from '../../src/results/summary.ts'
import { startOfThis } from '../../src/store/processes.ts'
import { HOST } from '../../src/store/write.ts'
import { temporaryFolder } from '../temporary.ts'

/** A small world: passages of towns, each query names one or two of them. */
export function writeTowns(folder: string, { towns = 24 } = {}): void {
  const names = Array.from(
    { length: towns },
    (_, town) => `Town${String.fromCharCode(65 + (town % 26))}${town}`,
  )
  const crafts = ['weaving', 'glass', 'salt', 'ships', 'clocks', 'honey']
  mkdirSync(join(folder, 'qrels'), { recursive: true })
  const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  writeFileSync(
    join(folder, 'corpus.jsonl'),
    lines(
      names.map((name, town) => ({
        _id: `d${town}`,
        title: name,
        text: `${name} lives by ${crafts[town % crafts.length]}. Its road leads to ${names[(town + 5) % towns]}, and its fair is held in week ${town}.`,
      })),
    ),
  )
  writeFileSync(
    join(folder, 'queries.jsonl'),
    lines([
      ...names.map((name, town) => ({
        _id: `q${town}`,
        text:
          town % 2 === 0
            ? `What does ${name} live by?`
            : `Which craft has the town where the road from ${name} leads?`,
        metadata: { category: town % 2 === 0 ? 'fact' : 'bridge', answers: [crafts[town % crafts.length]] },
      })),
      { _id: 'qx', text: 'Who rules the moon?', metadata: { category: 'none', answerable: false } },
    ]),
  )
  const gold = names.flatMap((_, town) =>
    town % 2 === 0
      ? [`q${town}\td${town}\t1`]
      : [`q${town}\td${town}\t1`, `q${town}\td${(town + 5) % towns}\t1`],
  )
  writeFileSync(join(folder, 'qrels', 'test.tsv'), `query-id\tcorpus-id\tscore\n${gold.join('\n')}\n`)
}

/** The config of most tests here; `trials` in YAML flow style. */
export function writeConfig(folder: string, trials: string, more = ''): string {
  const file = join(folder, 'towns.yaml')
  writeFileSync(
    file,
    `name: towns\ndataset: towns\ntrials: ${trials}\nmeasures: [recall@1, recall@5, full_recall@5, mrr@10, ndcg@10, recall@100tok]\ncompare: {draws: 200}\n${more}`,
  )
  return file
}

export const GRID =
  '[naive, bm25, {hybrid: {grid: {fusion: [weighted, rrf], alpha: [0.3, 0.7], rrfK: [20, 60], pool: [5, 20]}}}]'

/** This process, alone on its host. */
export const PROCESSES: Processes = {
  pid: process.pid,
  started: startOfThis(),
  host: HOST,
  now: () => Date.now(),
  removeAtExit: () => () => {},
  isAlive: () => false,
}

export function runOptions(folder: string, more: Partial<RunOptions> = {}): RunOptions {
  let time = 0
  const clock = () => time++
  return {
    folder,
    executor: inProcess(clock),
    shardSize: 8,
    progress: () => {},
    say: () => {},
    signal: new AbortController().signal,
    clock,
    spending: trackSpending(null, clock),
    processes: PROCESSES,
    machine: {},
    ...more,
  }
}

/** Numbers of a trial, without its name. */
export function numbersOf({ id, measures, categories, perQuery, fallbacks, funnel, channels }: TrialSummary) {
  return { id, measures, categories, perQuery, fallbacks, funnel, channels }
}

/** Numbers of each trial of a config from an experiment of its own, in which it shares nothing. */
export async function runEachTrial(config: string, store: string) {
  const experiment = await loadConfig(config, { set: [], env: {}, folder: '/' })
  const { trials } = await openExperiment(experiment, store)
  const numbers: ReturnType<typeof numbersOf>[] = []
  for (const { id } of trials) {
    const compare = { ...experiment.compare, baseline: id }
    const only = experiment.trials.filter((trial) => trial.id === id)
    const open = await openExperiment({ ...experiment, trials: only, compare }, store)
    await prepareAll(open)
    const outcome = await runFolder(open, runOptions(join(temporaryFolder(), 'run')))
    if (outcome.kind !== 'finished') throw new Error('did not finish')
    numbers.push(...outcome.summary.trials.map(numbersOf))
  }
  return numbers
}

/** Opens, prepares and runs a config. */
export async function runConfig(
  config: string,
  store: string,
  options: RunOptions,
): Promise<RunOutcome & { open: Awaited<ReturnType<typeof openExperiment>> }> {
  const experiment = await loadConfig(config, { set: [], env: {}, folder: '/' })
  const open = await openExperiment(experiment, store)
  await prepareAll(open)
  await requireFit([open])
  return { ...(await runFolder(open, options)), open }
}

/** Runs a config to its end. */
export async function finishConfig(config: string, store: string, options: RunOptions) {
  const outcome = await runConfig(config, store, options)
  if (outcome.kind !== 'finished') throw new Error('did not finish')
  return outcome
}

export function readManifest(folder: string, read: (path: string) => string): Manifest {
  return JSON.parse(read(join(folder, 'manifest.json')))
}

/** A world, a config of it and where runs go. */
export function setUp(trials = GRID, more = '') {
  const folder = temporaryFolder()
  writeTowns(join(folder, 'towns'))
  const config = writeConfig(folder, trials, more)
  const store = join(folder, 'store')
  // Runs that are compared do not lie next to each other: the second would take over the rows of the first.
  const at = (name: string) => join(folder, name, 'run')
  const manifest = (name: string) => readManifest(at(name), (path) => readFileSync(path, 'utf8'))
  return { folder, config, store, manifest, at }
}
