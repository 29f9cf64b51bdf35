import { availableParallelism } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Executor } from '../experiment/executors/executor.ts'
import { inProcess } from '../experiment/executors/in-process.ts'
import { threads } from '../experiment/executors/threads.ts'
import { requireExperimentFolder } from '../experiment/folder.ts'
import { lock, whenFree } from '../experiment/lock.ts'
import { askAboutCorpora, askAhead } from '../experiment/plan/ask-ahead.ts'
import { mergedInWords } from '../experiment/plan/compile.ts'
import { requireQueries } from '../experiment/plan/fit.ts'
import { SHARD_SIZE, type ShardShare } from '../experiment/plan/plan.ts'
import { buildMissing, requireParams } from '../experiment/plan/prepare.ts'
import { type Spending, trackSpending } from '../experiment/plan/spending.ts'
import { countCuts } from '../experiment/plan/unread.ts'
import { recordProgress } from '../experiment/progress-file.ts'
import type { RunOptions } from '../experiment/run.ts'
import { type DatasetRun, runExperiment as runDatasets } from '../experiment/run-datasets.ts'
import type { Summary } from '../results/summary.ts'
import { wasStopped } from '../stopping.ts'
import { markStore } from '../store/folder.ts'
import type { Progress } from '../types.ts'
import { describeMachine, processes } from './machine.ts'
import {
  type ConfigOptions,
  type OpenConfig,
  type OpenConfigDataset,
  openConfigs,
  type Place,
} from './open-config.ts'
import { dataLines, printEstimates, requireMemory } from './print-estimates.ts'

export interface RunConfigOptions extends ConfigOptions {
  readonly out?: string
  readonly workers?: number
  readonly shardSize?: number
  /** Runs only this share of the shards; a later run with `collect` computes the results. */
  readonly share?: ShardShare | undefined
  /** Throws a UserError if a shard is missing. */
  readonly collect?: boolean
  readonly progress: Progress
  readonly notice: (line: string) => void
  readonly signal: AbortSignal
  /** Called before any computation; may throw. */
  readonly opened?: (config: OpenConfig) => void
}

/** Result of a finished experiment. */
export interface RanExperiment {
  /** Absolute path. */
  readonly folder: string
  /** One per dataset, in the config's order. */
  readonly datasets: readonly DatasetRun[]
  /** Over all datasets. */
  readonly summary: Summary
  /** True if nothing was computed. */
  readonly whole: boolean
}

interface Stopped {
  /** Point at which the run stopped, as text. */
  readonly stopped: string
}

/** `shards` of `all` are done. */
interface SharedRun {
  readonly folder: string
  readonly shards: number
  readonly all: number
}

export async function runConfig(
  place: Place,
  file: string,
  options: RunConfigOptions,
): Promise<RanExperiment | SharedRun | Stopped> {
  const config = await openConfigs({ ...place, progress: options.progress }, file, options)
  const { experiment, opened } = config
  const folder = resolve(place.folder, options.out ?? join('experiments', experiment.name))
  // Checked before hours of work.
  requireExperimentFolder(folder)
  options.opened?.(config)
  const clock = () => performance.now()
  const spending = trackSpending(experiment.budget, clock)
  const recorder = recordProgress(folder, {
    experiment: experiment.name,
    budget: experiment.budget,
    processes,
    spent: spending.spent,
    datasets: opened.map(({ dataset }) => dataset),
  })
  const progress: Progress = (...step) => {
    options.progress(...step)
    recorder.progress(...step)
  }
  try {
    return await runOpened(place, config, folder, { ...options, progress, clock, spending })
  } finally {
    recorder.close()
  }
}

/** Executor of `workers` workers. Without a number a long run gets one for each core, a short run one. */
function executorOf(workers: number | undefined, clock: () => number): Executor {
  if (workers !== undefined && workers > 1) return threads(workers)
  const cores = availableParallelism()
  return inProcess(clock, workers === undefined && cores > 1 ? threads(cores) : undefined)
}

async function runOpened(
  place: Place,
  { experiment, opened }: OpenConfig,
  folder: string,
  options: RunConfigOptions & { readonly clock: () => number; readonly spending: Spending },
): Promise<RanExperiment | SharedRun | Stopped> {
  const { progress, notice, signal, clock, spending, share, collect } = options
  for (const { open } of opened) requireQueries(open)
  for (const { open } of opened)
    for (const words of open.dataset.notices) notice(`${open.dataset.name}: ${words}`)
  const [first] = opened
  for (const line of mergedInWords(first.open.experiment, first.open.trials)) notice(line)
  const workers = options.workers ?? availableParallelism()
  requireMemory(opened, workers)
  const asking = { signal, clock, progress, spending }
  const opens = opened.map(({ open }) => open)
  /** Undefined if the signal stops the call. */
  const unlessStopped = <T>(promise: Promise<T>) =>
    promise.catch((error: unknown) => {
      if (!wasStopped(signal)) throw error
    })
  const stopped = { stopped: 'while asking models; completions are stored' }
  // The first of several processes prepares and asks; the others find it done.
  const { root } = first.open.store
  if (share) markStore(root)
  const release = share && (await whenFree(root, processes, () => lock(root, processes), notice))
  if (!(await unlessStopped(askAboutCorpora(opens, asking).then(() => true)))) return stopped
  // Before the first dataset is embedded.
  await requireParams(opens, progress)
  let isEstimated = false
  const warn = async () => {
    if (isEstimated) return
    isEstimated = true
    for (const { open } of opened)
      for (const line of await countCuts(open, progress)) notice(`warning: ${line}`)
    for (const line of (await printEstimates(opened, workers)).warnings) notice(line)
  }
  if (opens.some(({ store, artifacts }) => store.missing(artifacts).length > 0)) {
    await warn()
    for (const { dataset, open } of opened) {
      const estimated = await dataLines(open)
      await buildMissing(open, progress)
      const over = opened.length > 1 ? `${dataset}: ` : ''
      for (const line of await dataLines(open))
        if (!estimated.includes(line)) notice(`warning: ${over}${line}`)
    }
  }
  const answeredOpens = await unlessStopped(askAhead(opens, asking))
  if (!answeredOpens) return stopped
  const answered = opened.map((part, index): OpenConfigDataset => ({ ...part, open: answeredOpens[index] }))
  release?.()
  const shown = (path: string) => {
    const short = relative(place.folder, path)
    return short.startsWith('..') ? path : short
  }
  const running: RunOptions = {
    folder,
    executor: executorOf(options.workers, clock),
    share,
    collect,
    shardSize: options.shardSize ?? SHARD_SIZE,
    begin: warn,
    progress,
    say: (news, path) => notice(NEWS[news](shown(path), shown(withoutHash(path)))),
    signal,
    clock,
    spending,
    processes,
    machine: describeMachine(),
  }
  const outcome = await runDatasets(experiment, answered, running)
  if (outcome.kind === 'shared') return { folder, shards: outcome.shards, all: outcome.all }
  if (outcome.kind === 'interrupted') {
    const inDataset = answered.length > 1 ? `in ${outcome.dataset} ` : ''
    return { stopped: `${inDataset}with ${outcome.done} of ${outcome.shards} shards done` }
  }
  const { summary, runs, whole } = outcome
  return { folder, datasets: runs, summary, whole }
}

/** Changes in or next to the experiment's folder. */
const NEWS = {
  'set aside': (path: string, folder: string) =>
    `${folder} contained another experiment or version; moved to ${path}`,
  'taken back': (path: string, folder: string) => `${path} holds this experiment; moved back to ${folder}`,
  altered: (path: string) => `${path} was changed or lost; the result is rebuilt from its parts`,
}

/** Folder that was set aside as `path`. */
function withoutHash(path: string): string {
  return path.replace(/\.(old-\d+|[0-9a-f]{8})$/, '')
}

export interface RunExperimentOptions {
  /** Number of threads; one per core by default. */
  readonly workers?: number
  /** Folder of the experiment; `experiments/NAME` in the working folder by default. */
  readonly out?: string
  /** Folder of prepared tables, indexes and completions; `.touchstone` in the config's folder by default. */
  readonly store?: string
  /** Config keys with other values, `KEY=VALUE` each: `['dataset=../mine', 'depth=50']`. */
  readonly set?: readonly string[]
  /** Runs a sample of this many queries of each dataset, as an experiment of its own. */
  readonly limit?: number
  /** Strategies or trials to keep; all by default. */
  readonly only?: readonly string[]
  /** Stops the run: results so far stay on the disk, and the same call resumes. */
  readonly signal?: AbortSignal
  readonly progress?: Progress
  /** Receives warnings about data and machine, as text; silent by default. */
  readonly notice?: (line: string) => void
}

/**
 * Runs or resumes the experiment of a config, as `touchstone run` does, without the report. Throws a UserError with every
 * diagnostic of config and data, and the signal's reason if it is aborted.
 */
export async function runExperiment(
  config: string,
  options: RunExperimentOptions = {},
): Promise<RanExperiment> {
  const { only, set = [], signal = new AbortController().signal, ...rest } = options
  const ran = await runConfig({ folder: process.cwd(), env: process.env }, config, {
    progress: () => {},
    notice: () => {},
    ...rest,
    set,
    signal,
    ...(only && { only: only.join(',') }),
  })
  if (!('datasets' in ran)) throw signal.reason
  return ran
}
