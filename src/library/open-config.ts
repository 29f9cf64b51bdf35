import { dirname, join, resolve } from 'node:path'
import { type DatasetExperiment, splitDatasets } from '../config/datasets.ts'
import type { Experiment } from '../config/experiment.ts'
import { keepOnly } from '../config/inner-trials.ts'
import { loadConfig } from '../config/load.ts'
import { matchTrials } from '../config/names.ts'
import type { Choice } from '../corpus/recipe.ts'
import { detectFormat } from '../dataset/detect.ts'
import { datasetFormats } from '../dataset/formats/index.ts'
import { collectDiagnostics, UserError } from '../errors.ts'
import type { CompiledTrial } from '../experiment/plan/compile.ts'
import { type OpenExperiment, openExperiment } from '../experiment/plan/open.ts'
import { cacheFolder } from '../hub/cache.ts'
import { openHub } from '../hub/open.ts'
import { resolve as resolveChoice } from '../registry.ts'
import { canonical } from '../store/hash.ts'
import { didYouMean } from '../text/nearest.ts'
import { shellWord, shownPath } from '../text/printable.ts'
import type { Progress } from '../types.ts'

/** Base folder of paths, and the environment that a config may read. */
export interface Place {
  readonly folder: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Receives a line before a download. */
  err?(line: string): void
  readonly progress?: Progress
}

export interface ConfigOptions {
  readonly set: readonly string[]
  readonly store?: string
  readonly only?: string
  /** Number of queries of a sample. */
  readonly limit?: number
  /** Text of the config if it is not a file. */
  readonly text?: string
  /** Hashes downloaded files again, and throws a NotDownloaded in place of a download. */
  readonly checksOnly?: boolean
}

export interface OpenConfig {
  readonly experiment: Experiment
  readonly opened: readonly [OpenConfigDataset, ...OpenConfigDataset[]]
}

export type OpenConfigDataset = Omit<DatasetExperiment, 'experiment'> & { readonly open: OpenExperiment }

/** Throws a UserError with the diagnostics of every dataset. */
export async function openConfigs(place: Place, config: string, options: ConfigOptions): Promise<OpenConfig> {
  const experiment = await loadExperiment(place, config, options)
  const opened: OpenConfigDataset[] = []
  // An error in the trials occurs with every dataset.
  const diagnostics = collectDiagnostics()
  for (const { dataset, folder, experiment: part } of splitDatasets(experiment)) {
    const open = await diagnostics.attemptAsync(() => openAt(place, part, options))
    if (open) opened.push({ dataset, folder, open })
  }
  diagnostics.throwIfAny()
  const [first, ...others] = opened
  return { experiment, opened: [first, ...others] }
}

/** Opens the only dataset. Throws a UserError with the choices if there are several. */
export async function openConfig(
  place: Place,
  config: string,
  options: ConfigOptions,
): Promise<OpenExperiment> {
  const experiment = await loadExperiment(place, config, options)
  const { datasets } = experiment
  if (datasets.length === 1) return openAt(place, experiment, options)
  const choices = datasets.map((choice) => `\n  --set ${datasetSetting(choice, place.folder)}`).join('')
  throw new UserError(
    `names ${datasets.length} datasets, but this command takes one; choose one:${choices}`,
    config,
  )
}

/** Dataset that a path or a config names; `set` changes the config. */
export async function datasetOf(place: Place, source: string, set: readonly string[] = []): Promise<Choice> {
  if (isConfig(source)) return (await openConfig(place, source, { set })).experiment.datasets[0]
  const path = resolve(place.folder, source)
  return { name: detectFormat(path), params: { path } }
}

export function isConfig(source: string): boolean {
  return /\.ya?ml$/i.test(source)
}

/** Value of `--set` for a dataset: its path if that determines the format. */
function datasetSetting({ name, params, file }: Choice, folder: string): string {
  const path = shownPath(folder, String(params.path))
  if (file) return shellWord(`dataset=${JSON.stringify({ [file.path]: { ...params, path } })}`)
  const { path: _, ...others } = params
  const format = resolveChoice(datasetFormats, { name, params: { path } })
  const plain = canonical(others) === canonical({ ...format.params, path: undefined })
  const value =
    plain && detectFormat(String(params.path)) === name
      ? path
      : JSON.stringify({ [name]: { ...params, path } })
  return shellWord(`dataset=${value}`)
}

async function loadExperiment(
  place: Place,
  config: string,
  { only, set, limit, text, checksOnly }: ConfigOptions,
): Promise<Experiment> {
  const file = resolve(place.folder, config)
  const { env, folder, err = () => {}, progress = () => {} } = place
  const hub = openHub({ env, notice: err, progress, readAll: checksOnly, lookUpOnly: checksOnly })
  const whole = await loadConfig(file, { set, limit, text, env, folder, hub })
  return only === undefined ? whole : keepOnly(whole, only.split(','))
}

function openAt(place: Place, experiment: Experiment, { store }: ConfigOptions): Promise<OpenExperiment> {
  const root = store ? resolve(place.folder, store) : join(dirname(experiment.file), '.touchstone')
  return openExperiment(experiment, root, { cache: cacheFolder(place.env), progress: place.progress })
}

/** Trial by name, short name or strategy; of several, the plain one. */
export function findTrial(name: string, trials: readonly CompiledTrial[]): CompiledTrial {
  const merged = trials.find((trial) => trial.merged.includes(name))
  const matching = merged ? [merged] : matchTrials(name, trials)
  if (matching.length === 1) return matching[0]
  const lines = (list: readonly CompiledTrial[]) => list.map((trial) => `\n  ${trial.name}`).join('')
  if (matching.length > 1)
    throw new UserError(`\`${name}\` matches ${matching.length} trials; name one of them:${lines(matching)}`)
  const near = didYouMean(
    name,
    trials.map((trial) => trial.name),
  )
  throw new UserError(`there is no trial \`${name}\`${near}; there are${lines(trials)}`)
}
