import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Experiment } from '../config/experiment.ts'
import { FORMAT, hasFormat } from '../results/format.ts'
import { readManifest } from '../results/read.ts'
import type { Summary } from '../results/summary.ts'
import { hashOf, sealed, unsealed } from '../store/hash.ts'
import { writeWhole } from '../store/write.ts'
import { VERSION } from '../version.ts'
import { portableTrial } from './finish/describe.ts'
import { writeResult } from './finish/manifest.ts'
import { type Finished, summarizeOver } from './finish/over-datasets.ts'
import { baselineRow } from './finish/rows.ts'
import { readFinished, takeFolder } from './folder.ts'
import { lock, removeLeftovers, whenFree } from './lock.ts'
import { requireFit } from './plan/fit.ts'
import type { OpenExperiment } from './plan/open.ts'
import { currentResult, inputsOf, type RunOptions, runFolder, tidy } from './run.ts'

interface OpenDataset {
  readonly dataset: string
  readonly folder: string
  readonly open: OpenExperiment
}

export interface DatasetRun {
  readonly dataset: string
  readonly folder: string
  readonly summary: Summary
  readonly ran: number
  /** True if the result existed, unaltered. */
  readonly whole: boolean
}

export type Outcome =
  /** `summary` is over all datasets; `whole`: all results existed, unaltered. */
  | {
      readonly kind: 'finished'
      readonly summary: Summary
      readonly runs: readonly DatasetRun[]
      readonly whole: boolean
    }
  | { readonly kind: 'interrupted'; readonly dataset: string; readonly done: number; readonly shards: number }
  | { readonly kind: 'shared'; readonly shards: number; readonly all: number }

/** Equal for every config over several datasets. */
const PLANNED = { hash: hashOf('datasets'), shardSize: 0 }

/**
 * Runs or resumes an experiment with prepared artifacts. Several datasets run one after another, each in a folder below,
 * then the summary over them.
 */
export async function runExperiment(
  experiment: Experiment,
  opened: readonly OpenDataset[],
  options: RunOptions,
): Promise<Outcome> {
  const { folder, processes, say, share } = options
  // Fails before the first runs for hours.
  await requireFit(opened.map(({ open }) => open))
  if (opened.length === 1) {
    const only = await runEach(opened, options)
    if ('kind' in only) return only
    const [{ summary, whole }] = only.runs
    return { kind: 'finished', summary, runs: only.runs, whole }
  }
  const current = await currentOutcome(experiment, opened, options)
  if (current) return current
  const inputs = opened.flatMap(({ open }) => inputsOf(open))
  const take = () => takeFolder(folder, PLANNED, processes, say, inputs)
  const release = share ? await whenFree(folder, processes, take) : take()
  try {
    removeLeftovers(folder, processes, 1)
    writePlan(folder, opened)
    if (share) release()
    const each = await runEach(opened, options)
    return 'kind' in each ? each : await finishOver(experiment, opened, each.runs, options)
  } finally {
    release()
  }
}

async function runEach(
  opened: readonly OpenDataset[],
  options: RunOptions,
): Promise<{ readonly runs: readonly DatasetRun[] } | Exclude<Outcome, { kind: 'finished' }>> {
  const runs: DatasetRun[] = []
  let [shards, all] = [0, 0]
  for (const place of opened) {
    const { dataset, open } = place
    const folder = folderOf(place, opened, options)
    const over = opened.length > 1 ? `${dataset} ` : ''
    const outcome = await runFolder(open, {
      ...options,
      folder,
      progress: (label, done, total) => options.progress(`${over}${label}`, done, total),
    })
    if (outcome.kind === 'interrupted') return { ...outcome, dataset }
    if (outcome.kind === 'shared') {
      shards += outcome.shards
      all += outcome.all
      continue
    }
    const { kind: _, ...ran } = outcome
    runs.push({ dataset, folder, ...ran })
  }
  return runs.length < opened.length ? { kind: 'shared', shards, all } : { runs }
}

function folderOf(
  { folder: below }: OpenDataset,
  opened: readonly OpenDataset[],
  { folder }: Pick<RunOptions, 'folder'>,
): string {
  return opened.length > 1 ? join(folder, below) : folder
}

/** Complete result over several datasets, read without a lock; null if anything is missing. */
async function currentOutcome(
  experiment: Experiment,
  opened: readonly OpenDataset[],
  options: RunOptions,
): Promise<Outcome | null> {
  const { folder, processes } = options
  const runs: DatasetRun[] = []
  for (const place of opened) {
    const at = folderOf(place, opened, options)
    const summary = await currentResult(place.open, { ...options, folder: at })
    if (!summary) return null
    runs.push({ dataset: place.dataset, folder: at, summary, ran: 0, whole: true })
  }
  const stored = readFinished(folder, { hash: finishedOf(experiment, opened, runs).plan })
  if (!stored || !('summary' in stored)) return null
  if (!hasPlan(folder, opened)) {
    const release = lock(folder, processes)
    try {
      writePlan(folder, opened)
    } finally {
      release()
    }
  }
  tidy(folder, processes)
  return { kind: 'finished', summary: stored.summary, runs, whole: true }
}

function hasPlan(folder: string, opened: readonly OpenDataset[]): boolean {
  try {
    const plan = unsealed(JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8')))
    const { datasets } = plan as { readonly datasets?: unknown }
    return hasFormat(plan) && JSON.stringify(datasets) === JSON.stringify(opened.map(({ folder }) => folder))
  } catch {
    return false
  }
}

function writePlan(folder: string, opened: readonly OpenDataset[]): void {
  const datasets = opened.map((dataset) => dataset.folder)
  const plan = { format: FORMAT, version: VERSION, ...PLANNED, datasets }
  writeWhole(join(folder, 'plan.json'), sealed(plan))
}

function finishedOf(
  { name, compare, tuning }: Experiment,
  opened: readonly OpenDataset[],
  runs: readonly DatasetRun[],
): { finished: Finished[]; plan: string } {
  const finished = opened.map(({ dataset, folder }, index): Finished => {
    const { folder: path, summary } = runs[index]
    return { dataset, folder, path, summary, manifest: readManifest(path) }
  })
  const plan = hashOf({
    version: VERSION,
    name,
    compare: { ...compare },
    tuning: { ...tuning },
    datasets: finished.map(({ dataset, manifest }) => [dataset, manifest.result]),
  })
  return { finished, plan }
}

async function finishOver(
  experiment: Experiment,
  opened: readonly OpenDataset[],
  runs: readonly DatasetRun[],
  { folder, say, machine }: RunOptions,
): Promise<Outcome> {
  const { finished, plan } = finishedOf(experiment, opened, runs)
  const stored = readFinished(folder, { hash: plan })
  if (stored && 'summary' in stored)
    return { kind: 'finished', summary: stored.summary, runs, whole: runs.every(({ whole }) => whole) }
  for (const file of stored?.altered ?? []) say('altered', join(folder, file))
  const { open } = opened[0]
  const trials = open.trials.map((trial) => portableTrial(trial, experiment.file))
  const summary = await summarizeOver(experiment, baselineRow(trials, open.experiment), finished)
  writeResult(folder, experiment, summary, {
    plan,
    dataset: hashOf(finished.map(({ manifest }) => manifest.dataset)),
    artifacts: {},
    steps: { planned: {}, exact: true, computed: {} },
    machine,
  })
  return { kind: 'finished', summary, runs, whole: false }
}
