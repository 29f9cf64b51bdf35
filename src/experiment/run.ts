import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { Experiment } from '../config/experiment.ts'
import type { Measure } from '../metrics/define.ts'
import { parseMeasures } from '../metrics/parse.ts'
import type { Summary } from '../results/summary.ts'
import { writeWhole } from '../results/write.ts'
import type { Progress } from '../types.ts'
import { trackBest } from './best-so-far.ts'
import type { Executor } from './executors/executor.ts'
import { finish } from './finish.ts'
import { readFinished } from './finished.ts'
import { takeFolder } from './folder.ts'
import { measureLatency } from './latency.ts'
import { removeLeftovers } from './leftovers.ts'
import type { Processes } from './lock.ts'
import { type OpenExperiment, requireAnswers, requireJudgedChunks, requireQueries } from './open.ts'
import { findParts } from './parts.ts'
import { makePlan, type Plan, shardCount } from './plan.ts'
import { judgementsOf, writeQuestions } from './questions.ts'

export interface RunOptions {
  /** The experiment's folder; made where it does not exist. */
  readonly folder: string
  readonly executor: Executor
  readonly shardSize: number
  readonly sharing: boolean
  readonly progress: Progress
  /** Tells of what happens to the folder, at once. */
  readonly say: (what: 'set aside' | 'taken back' | 'altered', path: string) => void
  readonly signal: AbortSignal
  readonly clock: () => number
  readonly processes: Processes
  /** What the manifest says of machine and code; never part of the result's hash. */
  readonly machine: Readonly<Record<string, string>>
}

export type RunOutcome =
  /** `ran` counts the shards that were run; `whole`: the result stood there already, with the hashes of its manifest. */
  | {
      readonly kind: 'finished'
      readonly summary: Summary
      readonly ran: number
      readonly whole: boolean
    }
  | { readonly kind: 'interrupted'; readonly done: number; readonly shards: number }

/**
 * Runs or resumes an experiment whose artifacts are prepared: the missing shards, then everything that is read off the
 * parts. Killed at any moment, nothing is lost or counted twice.
 */
export async function run(open: OpenExperiment, options: RunOptions): Promise<RunOutcome> {
  requireQueries(open)
  await requireJudgedChunks(open)
  await requireAnswers(open)
  const { folder, executor, progress, say, signal, clock } = options
  const plan = planOf(open, options)
  const release = takeFolder(folder, plan, options.processes, say)
  try {
    removeLeftovers(folder, options.processes)
    removeLeftovers(open.store.root, options.processes)
    const finished = readFinished(folder, plan)
    if (finished && 'summary' in finished)
      return { kind: 'finished', summary: finished.summary, ran: 0, whole: true }
    for (const file of finished?.altered ?? []) say('altered', join(folder, file))
    // Until it is put together again the folder is no finished experiment.
    rmSync(join(folder, 'summary.json'), { force: true })
    writeQuestions(folder, open.dataset.queries, judgementsOf(open.dataset))
    writeWhole(join(folder, 'experiment.yaml'), configText(open.experiment))
    writeWhole(join(folder, 'plan.json'), `${JSON.stringify(plan, null, 2)}\n`)

    const shards = shardCount(plan)
    const { parts } = findParts(folder, plan.hash)
    const missing = Array.from({ length: shards }, (_, shard) => shard).filter((shard) => !parts.has(shard))
    let done = parts.size
    const spent: Record<string, number> = {}
    const best = trackBest(open.trials, primaryOf(open.experiment))
    progress('shards', done, shards)
    await executor.run(
      folder,
      missing,
      ({ milliseconds, quality }) => {
        done++
        for (const [step, time] of Object.entries(milliseconds)) spent[step] = (spent[step] ?? 0) + time
        progress('shards', done, shards, best(quality))
      },
      signal,
    )
    if (signal.aborted && done < shards) return { kind: 'interrupted', done, shards }
    const summary = await finish(folder, open, plan, options)
    if (!summary) return { kind: 'interrupted', done, shards }
    mkdirSync(join(folder, 'timings'), { recursive: true })
    await timeFinalists(summary)
    writeWhole(join(folder, 'timings', 'steps.json'), `${JSON.stringify(spent, null, 2)}\n`)
    return { kind: 'finished', summary, ran: missing.length, whole: false }
  } finally {
    await open.store.close()
    release()
  }

  async function timeFinalists({ trials }: Summary): Promise<void> {
    const { latency, compare, seed } = open.experiment
    if (!latency) return
    const finalists = open.trials.filter((_, place) => trials[place].finalist)
    const { level } = compare
    const measured = await measureLatency(open.store, finalists, open.dataset.queries, {
      ...{ ...latency, level, seed, clock, progress },
    })
    writeWhole(join(folder, 'timings', 'latency.json'), `${JSON.stringify(measured, null, 2)}\n`)
  }
}

function planOf(
  { experiment, dataset, trials, store }: OpenExperiment,
  { shardSize, sharing }: RunOptions,
): Plan {
  const { name, hash, documentsHash, judgedUnit } = dataset
  return makePlan({
    experiment,
    dataset: { name, hash, documentsHash, judgedUnit },
    trials,
    queries: dataset.queries.length,
    store: store.root,
    shardSize,
    sharing,
  })
}

function primaryOf({ compare }: Experiment): Measure {
  return parseMeasures([compare.by])[0]
}

function configText({ resolved, only }: Experiment): string {
  return `${only ? `# run with --only ${only.join(',')}\n` : ''}${stringify(resolved)}`
}
