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
import { rootsOf } from './compile.ts'
import { countSteps } from './count-steps.ts'
import type { Executor } from './executors/executor.ts'
import { readFinished } from './finished.ts'
import { takeFolder } from './folder.ts'
import { keepRankings } from './keep-rankings.ts'
import type { KeptShard } from './keep-shard.ts'
import { measureLatency } from './latency.ts'
import { removeLeftovers } from './leftovers.ts'
import type { Processes } from './lock.ts'
import { writeManifest } from './manifest.ts'
import { type Merged, mergeParts } from './merge.ts'
import { type OpenExperiment, requireAnswers, requireJudgedChunks, requireQueries } from './open.ts'
import { findParts } from './parts.ts'
import { makePlan, type Plan, shardCount } from './plan.ts'
import { portableTrial } from './portable.ts'
import { judgementsOf, writeQuestions } from './questions.ts'
import { openSession, type Session } from './session.ts'
import { finalistsOf, primaryRows, summarize } from './summarize.ts'
import { writeGold, writeScores, writeTrials } from './write-results.ts'

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
    const summary = await finish(open, plan, options)
    if (!summary) return { kind: 'interrupted', done, shards }
    mkdirSync(join(folder, 'timings'), { recursive: true })
    await timeFinalists(summary)
    writeWhole(join(folder, 'timings', 'steps.json'), `${JSON.stringify(spent, null, 2)}\n`)
    return { kind: 'finished', summary, ran: missing.length, whole: false }
  } finally {
    await executor.close()
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

  /** Null where it was interrupted. */
  async function finish(open: OpenExperiment, plan: Plan, { machine }: RunOptions): Promise<Summary | null> {
    const session = await openSession(folder)
    try {
      return await finishIn(session, open, plan, machine)
    } finally {
      await session.store.close()
    }
  }

  async function finishIn(
    session: Session,
    open: OpenExperiment,
    plan: Plan,
    machine: RunOptions['machine'],
  ): Promise<Summary | null> {
    const { trials } = session
    const measures = session.measures.map(({ name }) => name)
    const { parts } = findParts(folder, plan.hash)
    const ordered = [...parts.values()].sort((a, b) => a.shard - b.shard)
    if (ordered.length !== shardCount(plan))
      throw new Error(`${shardCount(plan) - ordered.length} parts are missing`)
    const merged = await mergeParts(ordered, measures, trials.length, session.corpora[0].labels)
    const rows = primaryRows(session, merged)
    const finalists = finalistsOf(session, merged, rows)
    // While the executor runs the finalists once more, the rest is read off the parts.
    const keeping = keepFinalists(plan, finalists)
    const summarizing = summarize(session, open, merged, rows, finalists)
    // Where one fails, the other must not outlive the folder's lock.
    await Promise.allSettled([keeping, summarizing])
    const [kept, summary] = [await keeping, await summarizing]
    if (!kept) return null
    // What its workers hold is as much as what is still to be written.
    await executor.close()
    writeMerged(session, open, merged)
    await keepRankings(session, finalists, kept)
    const planned = await countSteps(rootsOf(trials), session.queries)
    writeManifest(folder, { open, plan, planned, computed: merged.computed, summary, machine })
    // Last: a folder with a summary is a finished experiment.
    writeWhole(join(folder, 'summary.json'), `${JSON.stringify(summary)}\n`)
    return summary
  }

  /** Null where it was interrupted. */
  async function keepFinalists(plan: Plan, finalists: readonly number[]): Promise<KeptShard[] | null> {
    const kept: KeptShard[] = []
    const all = Array.from({ length: shardCount(plan) }, (_, shard) => shard)
    progress('finalists', 0, all.length)
    await executor.keep(
      folder,
      all,
      finalists,
      (shard) => {
        kept.push(shard)
        progress('finalists', kept.length, all.length)
      },
      signal,
    )
    return kept.length < all.length ? null : kept.sort((a, b) => a.shard - b.shard)
  }
}

function writeMerged(session: Session, { experiment }: OpenExperiment, merged: Merged): void {
  const { folder, trials, measures, corpora } = session
  writeTrials(
    folder,
    trials.map((trial) => portableTrial(trial, experiment.file)),
  )
  writeScores(
    folder,
    measures.map(({ name }) => name),
    merged,
  )
  writeGold(
    folder,
    trials,
    corpora.map(({ labels }) => labels),
    merged,
  )
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
