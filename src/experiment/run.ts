import { rmSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { chunkSpans } from '../corpus/corpus.ts'
import { clusterQueries } from '../dataset/clusters.ts'
import { UserError } from '../errors.ts'
import { addToSet } from '../maps.ts'
import type { Measure } from '../metrics/define.ts'
import { OPTIONAL } from '../results/finished.ts'
import { readLatency } from '../results/read.ts'
import type { Summary } from '../results/summary.ts'
import { wasStopped } from '../stopping.ts'
import { sealed } from '../store/hash.ts'
import { diskError, makeFolder, writeWhole } from '../store/write.ts'
import { columnsOf } from '../tables/column.ts'
import { writeTable } from '../tables/parquet.ts'
import type { Executor } from './executors/executor.ts'
import { finish } from './finish/finish.ts'
import { replaceConfig, writeConfig } from './finish/manifest.ts'
import { readFinished, takeFolder } from './folder.ts'
import { measureLatency } from './latency.ts'
import { lock, type Processes, removeLeftovers, whenFree } from './lock.ts'
import type { RequestOptions } from './plan/ask-ahead.ts'
import type { OpenExperiment } from './plan/open.ts'
import { makePlan, type Plan, readPlan, type ShardShare, type StoredPlan, shardsOf } from './plan/plan.ts'
import { loadMeasures } from './plan/registries.ts'
import { findParts } from './shard/parts.ts'
import { goldLabelsOf, questionHashes, writeQuestions } from './shard/questions.ts'

export interface RunOptions extends RequestOptions {
  readonly folder: string
  readonly executor: Executor
  readonly shardSize: number
  readonly share?: ShardShare | undefined
  /** Runs no shard: throws a UserError if any is missing. */
  readonly collect?: boolean | undefined
  readonly begin?: () => Promise<void>
  readonly say: (what: 'set aside' | 'taken back' | 'altered', path: string) => void
  readonly processes: Processes
  readonly machine: Readonly<Record<string, string>>
}

export type RunOutcome =
  /** `ran`: shards run. `whole`: the result existed, unaltered. */
  | { readonly kind: 'finished'; readonly summary: Summary; readonly ran: number; readonly whole: boolean }
  | { readonly kind: 'interrupted'; readonly done: number; readonly shards: number }
  | { readonly kind: 'shared'; readonly shards: number; readonly all: number }

/**
 * Runs or resumes a checked experiment over one dataset with prepared artifacts. Killing it loses nothing and counts
 * nothing twice.
 */
export async function runFolder(open: OpenExperiment, options: RunOptions): Promise<RunOutcome> {
  const { folder, executor, progress, say, signal, share } = options
  const plan = planOf(open, options)
  const current = await currentResult(open, options)
  if (current) {
    await open.store.close()
    return { kind: 'finished', summary: current, ran: 0, whole: true }
  }
  const take = () => takeFolder(folder, plan, options.processes, say, inputsOf(open))
  const release = options.share ? await whenFree(folder, options.processes, take) : take()
  try {
    removeLeftovers(folder, options.processes)
    removeLeftovers(open.store.root, options.processes)
    const finished = readFinished(folder, plan)
    if (finished && 'summary' in finished) {
      const { summary } = finished
      for (const repair of repairs(open, options, summary)) await repair()
      return { kind: 'finished', summary, ran: 0, whole: true }
    }
    for (const file of finished?.altered ?? []) say('altered', join(folder, file))
    // A folder with a summary is finished.
    rmSync(join(folder, 'summary.json'), { force: true })
    // Identifies the folder as an experiment's.
    writePlan(folder, plan)
    writeConfig(folder, open.experiment)
    for (const file of OPTIONAL) rmSync(join(folder, file), { force: true })
    if (open.answers) writeWhole(join(folder, 'answers.jsonl'), open.answers.text)
    const questions = writeQuestions(
      folder,
      open.dataset.queries,
      goldLabelsOf(open.dataset),
      await clustersOf(open),
    )
    const stored = await storedPlan(open, plan, questions)
    writePlan(folder, stored)

    const shards = shardsOf(plan).length
    const parts = findParts(folder, plan.hash)
    const missing = Array.from({ length: shards }, (_, shard) => shard).filter((shard) => !parts.has(shard))
    await options.begin?.()
    let done = parts.size
    const spent: Record<string, number> = {}
    progress('shards', done, shards)
    if (options.collect && missing.length > 0)
      throw new UserError(
        `${missing.length} of ${shards} shards are missing: ${missing.slice(0, 20).join(', ')}${missing.length > 20 ? ', ...' : ''}. Run them with --shards I/N, or without --collect here`,
        folder,
      )
    if (share) release()
    const inShare = (shard: number) => !share || shard % share.count === share.number - 1
    await executor.run(
      folder,
      missing.filter(inShare),
      ({ milliseconds }) => {
        done++
        for (const [step, time] of Object.entries(milliseconds)) spent[step] = (spent[step] ?? 0) + time
        progress('shards', done, shards)
      },
      signal,
    )
    if (wasStopped(signal) && done < shards) return { kind: 'interrupted', done, shards }
    if (share) {
      const count = [...Array(shards).keys()].filter(inShare).length
      return { kind: 'shared', shards: count, all: shards }
    }
    const summary = await finish(folder, open, stored, options)
    if (!summary) return { kind: 'interrupted', done, shards }
    await timeFinalists(open, options, summary)
    writeWhole(join(folder, 'timings', 'steps.json'), `${JSON.stringify(spent, null, 2)}\n`)
    return { kind: 'finished', summary, ran: missing.length, whole: false }
  } finally {
    await open.store.close()
    release()
  }
}

async function timeFinalists(
  open: OpenExperiment,
  { folder, clock, progress }: RunOptions,
  { trials }: Summary,
): Promise<void> {
  makeFolder(join(folder, 'timings'))
  const { latency, compare } = open.experiment
  if (!latency) return
  const finalists = open.trials.filter((_, index) => trials[index].finalist)
  const { byQuery, ...measured } = await measureLatency(open.store, finalists, open.dataset.queries, {
    ...latency,
    level: compare.level,
    clock,
    progress,
    load: () => loadavg()[0],
    cores: availableParallelism(),
  })
  const rows = byQuery.map(({ trial, query, milliseconds }) => ({ trial, query, latency_ms: milliseconds }))
  const columns = columnsOf(rows, { trial: 'string', query: 'string', latency_ms: 'number' })
  writeTable(join(folder, 'timings', 'latency.parquet'), columns)
  writeWhole(join(folder, 'timings', 'latency.json'), sealed(measured))
}

/**
 * Finished result in the folder, or null. Reads without a lock, since the folder may be read-only; repairs take one.
 */
export async function currentResult(open: OpenExperiment, options: RunOptions): Promise<Summary | null> {
  const { folder, processes } = options
  const finished = readFinished(folder, planOf(open, options))
  if (!finished || !('summary' in finished)) return null
  const needed = repairs(open, options, finished.summary)
  if (needed.length > 0) {
    const release = lock(folder, processes)
    try {
      for (const repair of needed) await repair()
    } finally {
      release()
    }
  }
  tidy(folder, processes)
  return finished.summary
}

/** Writers of files that the manifest does not certify, if these were changed or lost. */
function repairs(open: OpenExperiment, options: RunOptions, summary: Summary): (() => Promise<void>)[] {
  const { folder } = options
  const plan = planOf(open, options)
  const needed: (() => Promise<void>)[] = []
  if (valid(() => readPlan(folder))?.hash !== plan.hash)
    needed.push(async () => {
      const stored = await storedPlan(open, plan, questionHashes(folder))
      // Parts may be of another shard size.
      rmSync(join(folder, 'parts'), { recursive: true, force: true })
      writePlan(folder, stored)
    })
  const latency = valid(() => readLatency(folder))
  if (open.experiment.latency ? !latency : latency === undefined)
    needed.push(async () => {
      for (const file of ['latency.json', 'latency.parquet'])
        rmSync(join(folder, 'timings', file), { force: true })
      await timeFinalists(open, options, summary)
      replaceConfig(folder, open)
    })
  return needed
}

function valid<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}

/** Removes a killed run's temporary files, unless the folder is locked or read-only. */
export function tidy(folder: string, processes: Processes): void {
  try {
    lock(folder, processes)()
    removeLeftovers(folder, processes)
  } catch (error) {
    if (!(error instanceof UserError) && !diskError(error)) throw error
  }
}

/** Paths that must not move. */
export function inputsOf({ experiment, store }: OpenExperiment): string[] {
  const { file, datasets } = experiment
  const files = datasets.flatMap(({ params: { path, questions } }) => [path, questions])
  const named = files.filter((path) => typeof path === 'string')
  return [file, store.root, ...named.map((path) => resolve(dirname(file), path))]
}

/** Cluster of each query. Judged chunks are of the documents that the chunkings cut them from. */
async function clustersOf({
  experiment,
  dataset,
  recipes,
  store,
}: OpenExperiment): Promise<Int32Array | null> {
  const { cluster } = experiment.compare
  if (cluster === undefined) return null
  if (cluster !== 'document' || dataset.judgedUnit !== 'chunk') return clusterQueries(cluster, dataset)
  const documents = new Map<string, Set<string>>()
  for (const recipe of recipes)
    for (const { id, documentId } of await store.open(chunkSpans(recipe))) addToSet(documents, id, documentId)
  return clusterQueries(cluster, dataset, (chunk) => [...(documents.get(chunk) ?? [])])
}

function planOf(
  { experiment, dataset, trials, store, answers }: OpenExperiment,
  { shardSize }: RunOptions,
): Plan {
  const { name, hash, documentsHash, judgedUnit } = dataset
  return makePlan({
    experiment,
    dataset: { name, hash, documentsHash, judgedUnit },
    trials,
    queries: dataset.queries.length,
    store: store.root,
    shardSize,
    answers: answers?.sha256,
  })
}

async function storedPlan(
  { experiment, trials }: OpenExperiment,
  plan: Plan,
  questions: StoredPlan['questions'],
): Promise<StoredPlan> {
  const measures = await loadMeasures(experiment)
  const { metric } = measures.find(({ name }) => name === experiment.compare.by) as Measure
  return {
    ...plan,
    questions,
    trials: trials.map(({ name, strategy }) => ({ name, strategy })),
    scale: { bounded: metric.bounded, better: metric.better },
  }
}

function writePlan(folder: string, plan: Plan | StoredPlan): void {
  writeWhole(join(folder, 'plan.json'), sealed(plan))
}
