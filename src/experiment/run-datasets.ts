import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Experiment } from '../config/experiment.ts'
import { FORMAT, hasFormat } from '../results/format.ts'
import { type MacroSummary, macroResult } from '../results/macro.ts'
import { readManifest } from '../results/read.ts'
import type { Summary } from '../results/summary.ts'
import { hashOf } from '../store/hash.ts'
import { sealed, unsealed } from '../store/sealed.ts'
import { writeWhole } from '../store/write.ts'
import { VERSION } from '../version.ts'
import { combineDatasets, type Finished } from './finish/macro.ts'
import { baselineRow } from './finish/tuned-rows.ts'
import { takeFolder } from './folder.ts'
import { removeLeftovers } from './leftovers.ts'
import { lock, whenFree } from './lock.ts'
import { type OpenExperiment, requireFit } from './plan/open.ts'
import { portableTrial } from './plan/portable.ts'
import { currentResult, inputsOf, type RunOptions, runFolder, tidy } from './run.ts'

/** One dataset of an experiment, opened and prepared. */
interface OpenDataset {
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
  readonly ran: number
  readonly whole: boolean
}

export type DatasetsOutcome =
  /** `whole`: all results existed already and are unaltered. */
  | {
      readonly kind: 'finished'
      readonly macro: MacroSummary
      readonly runs: readonly DatasetRun[]
      readonly whole: boolean
    }
  | { readonly kind: 'interrupted'; readonly dataset: string; readonly done: number; readonly shards: number }
  | { readonly kind: 'shared'; readonly shards: number; readonly all: number }

/**
 * Equal for every config, so that the folder is distinguished from a single experiment's folder but not from another of its
 * kind.
 */
const PLANNED = { hash: hashOf('datasets'), shardSize: 0 }

/**
 * Runs or resumes an experiment over several datasets: one experiment per dataset, one after another, each in a folder below
 * `options.folder`; then `datasets.json`, the table over them. The folder of a dataset that left the config is kept.
 */
export async function runDatasets(
  experiment: Experiment,
  opened: readonly OpenDataset[],
  options: RunOptions,
): Promise<DatasetsOutcome> {
  const { folder, processes, say, share } = options
  // Checked for all datasets before the first runs for hours.
  await requireFit(opened.map(({ open }) => open))
  const current = await currentTable(experiment, opened, options)
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
    for (const { dataset, folder: own, open } of opened) {
      const path = join(folder, own)
      const outcome = await runFolder(open, {
        ...options,
        folder: path,
        progress: (what, done, total, note) => options.progress(`${dataset} ${what}`, done, total, note),
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
    return await tableOver(experiment, opened, runs, options)
  } finally {
    release()
  }
}

/** Existing complete outcome, read without a lock; null if anything is missing. */
async function currentTable(
  experiment: Experiment,
  opened: readonly OpenDataset[],
  options: RunOptions,
): Promise<DatasetsOutcome | null> {
  const { folder, processes } = options
  const runs: DatasetRun[] = []
  for (const { dataset, folder: own, open } of opened) {
    const path = join(folder, own)
    const summary = await currentResult(open, { ...options, folder: path })
    if (!summary) return null
    runs.push({ dataset, folder: path, summary, ran: 0, whole: true })
  }
  const found = readFound(join(folder, 'datasets.json'))
  const { made } = finishedOf(experiment, opened, runs)
  if (found?.made !== made || found.result !== macroResult(found)) return null
  if (!hasPlan(folder, opened)) {
    const release = lock(folder, processes)
    try {
      writePlan(folder, opened)
    } finally {
      release()
    }
  }
  tidy(folder, processes)
  return { kind: 'finished', macro: found, runs, whole: true }
}

/** False if the plan is lost, was changed, or is of other datasets. */
function hasPlan(folder: string, opened: readonly OpenDataset[]): boolean {
  try {
    const plan = unsealed(JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8')))
    const { datasets } = plan as { readonly datasets?: unknown }
    return hasFormat(plan) && JSON.stringify(datasets) === JSON.stringify(opened.map((one) => one.folder))
  } catch {
    return false
  }
}

function writePlan(folder: string, opened: readonly OpenDataset[]): void {
  const datasets = opened.map((one) => one.folder)
  const plan = { format: FORMAT, version: VERSION, ...PLANNED, datasets }
  writeWhole(join(folder, 'plan.json'), sealed(plan))
}

/** Finished experiments, and the hash of the inputs of the table over them. */
function finishedOf(
  { name, compare, tuning }: Experiment,
  opened: readonly OpenDataset[],
  runs: readonly DatasetRun[],
): { finished: Finished[]; made: string } {
  const finished = opened.map(({ dataset, folder: own }, index): Finished => {
    const { folder: path, summary } = runs[index]
    return { dataset, folder: own, path, summary, manifest: readManifest(path) }
  })
  const made = hashOf({
    version: VERSION,
    name,
    compare: { ...compare },
    tuning: { ...tuning },
    datasets: finished.map(({ dataset, manifest }) => [dataset, manifest.result]),
  })
  return { finished, made }
}

async function tableOver(
  experiment: Experiment,
  opened: readonly OpenDataset[],
  runs: readonly DatasetRun[],
  { folder, say }: RunOptions,
): Promise<DatasetsOutcome> {
  const { finished, made } = finishedOf(experiment, opened, runs)
  const file = join(folder, 'datasets.json')
  const found = readFound(file)
  if (found?.made === made && found.result === macroResult(found))
    return { kind: 'finished', macro: found, runs, whole: runs.every(({ whole }) => whole) }
  // A table of other results is out of date; a table of these results was altered.
  if (found === undefined || found?.made === made) say('altered', file)
  const { open } = opened[0]
  const portableTrials = open.trials.map((trial) => portableTrial(trial, experiment.file))
  const macro = await combineDatasets(
    experiment,
    baselineRow(portableTrials, open.experiment),
    finished,
    made,
  )
  writeWhole(file, `${JSON.stringify(macro)}\n`)
  return { kind: 'finished', macro, runs, whole: false }
}

/** Stored table; null if there is none, undefined if it cannot be read. */
function readFound(file: string): MacroSummary | null | undefined {
  if (!existsSync(file)) return null
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return hasFormat(found) ? (found as MacroSummary) : undefined
  } catch {
    return undefined
  }
}
