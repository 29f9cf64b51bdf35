import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Experiment } from '../config/experiment.ts'
import { alteredFiles, certify, manifestIn } from '../results/finished.ts'
import { FORMAT, hasFormat } from '../results/format.ts'
import { readManifest } from '../results/read.ts'
import type { Manifest, Summary } from '../results/summary.ts'
import { hashOf, sha256 } from '../store/hash.ts'
import { sealed, unsealed } from '../store/sealed.ts'
import { writeWhole } from '../store/write.ts'
import { VERSION } from '../version.ts'
import { type Finished, summarizeOver } from './finish/over-datasets.ts'
import { baselineRow } from './finish/tuned-rows.ts'
import { takeFolder } from './folder.ts'
import { removeLeftovers } from './leftovers.ts'
import { lock, whenFree } from './lock.ts'
import { type OpenExperiment, requireFit } from './plan/open.ts'
import { portableTrial } from './plan/portable.ts'
import { currentResult, inputsOf, type RunOptions, runFolder, tidy } from './run.ts'

/** One dataset of an experiment, opened and prepared. */
export interface OpenDataset {
  readonly dataset: string
  /** Folder of this dataset, relative to the experiment's folder. */
  readonly folder: string
  readonly open: OpenExperiment
}

export interface DatasetRun {
  readonly dataset: string
  /** Absolute path. */
  readonly folder: string
  readonly summary: Summary
  /** Number of shards that were run. */
  readonly ran: number
  /** True if the result existed already, with the hashes of its manifest. */
  readonly whole: boolean
}

export type Outcome =
  /** `summary` is over all datasets; `whole`: all results existed already and are unaltered. */
  | {
      readonly kind: 'finished'
      readonly summary: Summary
      readonly runs: readonly DatasetRun[]
      readonly whole: boolean
    }
  | { readonly kind: 'interrupted'; readonly dataset: string; readonly done: number; readonly shards: number }
  /** A share of the shards is done: `shards` of `all`. */
  | { readonly kind: 'shared'; readonly shards: number; readonly all: number }

/** Equal for every config, so that the folder of several datasets is told from that of one, but not from another's. */
const PLANNED = { hash: hashOf('datasets'), shardSize: 0 }

/**
 * Runs or resumes an experiment whose artifacts are prepared. The result of the only dataset is in `options.folder` itself.
 * Several run one after another, each in a folder below it; then comes the summary over them. The folder of a dataset that
 * left the config is kept.
 */
export async function runExperiment(
  experiment: Experiment,
  opened: readonly OpenDataset[],
  options: RunOptions,
): Promise<Outcome> {
  const { folder, processes, say, share } = options
  // Checked for all datasets before the first runs for hours.
  await requireFit(opened.map(({ open }) => open))
  if (opened.length === 1) return runOnly(opened[0], options)
  const current = await currentSummary(experiment, opened, options)
  if (current) return current
  const inputs = opened.flatMap(({ open }) => inputsOf(open))
  const take = () => takeFolder(folder, PLANNED, processes, say, inputs)
  const release = share ? await whenFree(folder, processes, take) : take()
  try {
    removeLeftovers(folder, processes, 1)
    writePlan(folder, opened)
    if (share) release()
    const runs: DatasetRun[] = []
    let [shards, all] = [0, 0]
    for (const { dataset, folder: below, open } of opened) {
      const path = join(folder, below)
      const outcome = await runFolder(open, {
        ...options,
        folder: path,
        progress: (what, done, total) => options.progress(`${dataset} ${what}`, done, total),
      })
      if (outcome.kind === 'interrupted') return { ...outcome, dataset }
      if (outcome.kind === 'shared') {
        shards += outcome.shards
        all += outcome.all
        continue
      }
      const { kind: _, ...ran } = outcome
      runs.push({ dataset, folder: path, ...ran })
    }
    if (runs.length < opened.length) return { kind: 'shared', shards, all }
    return await finishOver(experiment, opened, runs, options)
  } finally {
    release()
  }
}

async function runOnly({ dataset, open }: OpenDataset, options: RunOptions): Promise<Outcome> {
  const outcome = await runFolder(open, options)
  if (outcome.kind === 'interrupted') return { ...outcome, dataset }
  if (outcome.kind === 'shared') return outcome
  const { kind, summary, ran, whole } = outcome
  return { kind, summary, runs: [{ dataset, folder: options.folder, summary, ran, whole }], whole }
}

/** Existing complete outcome, read without a lock; null if anything is missing. */
async function currentSummary(
  experiment: Experiment,
  opened: readonly OpenDataset[],
  options: RunOptions,
): Promise<Outcome | null> {
  const { folder, processes } = options
  const runs: DatasetRun[] = []
  for (const { dataset, folder: below, open } of opened) {
    const path = join(folder, below)
    const summary = await currentResult(open, { ...options, folder: path })
    if (!summary) return null
    runs.push({ dataset, folder: path, summary, ran: 0, whole: true })
  }
  const stored = readStored(folder, finishedOf(experiment, opened, runs).plan)
  if (!stored || stored === 'altered') return null
  if (!hasPlan(folder, opened)) {
    const release = lock(folder, processes)
    try {
      writePlan(folder, opened)
    } finally {
      release()
    }
  }
  tidy(folder, processes)
  return { kind: 'finished', summary: stored, runs, whole: true }
}

/** False if the plan is lost, was changed, or is of other datasets. */
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

/** Finished experiments, and the hash of the inputs of the summary over them. */
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
  const stored = readStored(folder, plan)
  const whole = runs.every((run) => run.whole)
  if (stored && stored !== 'altered') return { kind: 'finished', summary: stored, runs, whole }
  if (stored === 'altered') say('altered', join(folder, 'summary.json'))
  const { open } = opened[0]
  const trials = open.trials.map((trial) => portableTrial(trial, experiment.file))
  const summary = await summarizeOver(experiment, baselineRow(trials, open.experiment), finished)
  const text = JSON.stringify(summary)
  const manifest: Manifest = {
    format: FORMAT,
    version: VERSION,
    ...certify(folder, text),
    plan,
    config: sha256(readFileSync(experiment.file)),
    folder: dirname(experiment.file),
    dataset: hashOf(finished.map((dataset) => dataset.manifest.dataset)),
    artifacts: {},
    steps: { planned: {}, exact: true, computed: {} },
    machine,
  }
  writeWhole(join(folder, 'manifest.json'), sealed(manifest))
  writeWhole(join(folder, 'summary.json'), `${text}\n`)
  return { kind: 'finished', summary, runs, whole: false }
}

/** Stored summary of this plan; null if there is none, 'altered' if its bytes are not those of its manifest. */
function readStored(folder: string, plan: string): Summary | 'altered' | null {
  const [summary, manifest] = ['summary.json', 'manifest.json'].map((file) => join(folder, file))
  if (!existsSync(summary)) return null
  try {
    const stored = manifestIn(JSON.parse(readFileSync(manifest, 'utf8')))
    if (!stored) return 'altered'
    // A summary of other results is out of date.
    if (stored.plan !== plan) return null
    return alteredFiles(folder, stored).length > 0 ? 'altered' : JSON.parse(readFileSync(summary, 'utf8'))
  } catch {
    return 'altered'
  }
}
