import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { Choice } from '../corpus/recipe.ts'
import { customFormat } from '../dataset/custom-format.ts'
import { detectFormat, openRoot } from '../dataset/detect.ts'
import type { DatasetFormat } from '../dataset/format.ts'
import { datasetFormats } from '../dataset/formats/index.ts'
import { isZip } from '../dataset/zip.ts'
import { diagnosticsOf } from '../errors.ts'
import { resolve as resolveChoice } from '../registry.ts'
import { canonical } from '../store/hash.ts'
import { isMap } from '../text/json.ts'
import type { Json } from '../types.ts'
import { readSingle } from './choices.ts'
import type { Experiment } from './experiment.ts'
import { type ChoiceSource, filesIn, type NamedFile } from './files.ts'
import { type Path, type Reading, refuse } from './reading.ts'

export const DATASETS = {
  registry: datasetFormats,
  custom: customFormat,
} satisfies ChoiceSource<DatasetFormat>

export function datasetFiles(raw: unknown, path: Path = ['dataset']): NamedFile[] {
  if (Array.isArray(raw)) return raw.flatMap((item, index) => datasetFiles(item, [...path, index]))
  return isMap(raw) ? filesIn(raw, path) : []
}

/** Reads a path, a map of one format to its params, or a list of these. */
export function readDatasets(raw: unknown, reading: Reading): Choice[] {
  if (raw === undefined) return []
  if (!Array.isArray(raw)) return readOne(raw, ['dataset'], reading)
  if (raw.length === 0) refuse(reading.problems, ['dataset'], 'the list is empty; name at least one dataset')
  const choices = raw.flatMap((item, index) => {
    const path = ['dataset', index]
    return readOne(item, path, reading).map((choice) => ({ path, choice }))
  })
  refuseEqual(choices, reading)
  return choices.map(({ choice }) => choice)
}

/**
 * `prepare` with the graph of the dataset's folder, unless the config names one. Several datasets need graphs of one
 * kind; `withOwnPaths` replaces the first's.
 */
export function withOwnGraph(
  prepare: Readonly<Record<string, unknown>>,
  datasets: readonly Choice[],
): Record<string, unknown> {
  if (prepare.graph !== undefined || datasets.length === 0) return { ...prepare }
  const owns = datasets.map(ownGraph)
  const kinds = new Set(owns.map((recipe) => canonical(kindsOf(recipe))))
  return kinds.size === 1 ? { ...owns[0], ...prepare } : { ...prepare }
}

/** Choices that read the graph of `to` instead of that of `from`. */
function withOwnPaths<R extends object>(choices: R, from: Choice, to: Choice): R {
  const [fromPaths, other] = [from, to].map((dataset) => pathsOf(ownGraph(dataset)))
  const moved = new Map(Object.entries(fromPaths).map(([key, path]) => [path, other[key]]))
  return JSON.parse(JSON.stringify(choices), (_, value) => moved.get(value) ?? value)
}

function ownGraph(dataset: Choice): Readonly<Record<string, Json>> {
  if (dataset.file) return {}
  const { definition, params } = resolveChoice(datasetFormats, dataset)
  const path = String(params.path)
  if (!definition.ownGraph || !existsSync(path) || isZip(path)) return {}
  return { ...definition.ownGraph({ ...params, path: openRoot(path, definition).root }).own }
}

function kindsOf(recipe: Readonly<Record<string, Json>>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(recipe).map(([key, choice]) => [key, Object.keys(choice as object)]),
  )
}

function pathsOf(recipe: Readonly<Record<string, Json>>): Record<string, Json> {
  const pathOf = (choice: Json) =>
    Object.values(choice as Readonly<Record<string, { readonly path: Json }>>)[0].path
  return Object.fromEntries(Object.entries(recipe).map(([key, choice]) => [key, pathOf(choice)]))
}

function datasetName({ params }: Choice): string {
  return basename(String(params.path))
}

function readOne(raw: unknown, path: Path, reading: Reading): Choice[] {
  if (raw === null) {
    const message = 'is empty; a dataset is a folder, or a map of one format to its params'
    refuse(reading.problems, path, message)
    return []
  }
  const choice = typeof raw === 'string' ? formatAt(raw, path, reading) : raw
  if (choice === undefined) return []
  const advice = 'a grid belongs in `prepare` or `trials`; several datasets are a list: `dataset: [a, b]`'
  const variant = readSingle(choice, path, DATASETS, reading, advice)
  return variant ? [variant.choice] : []
}

function formatAt(raw: string, path: Path, reading: Reading): unknown {
  const folder = resolve(reading.folderOf(path), raw)
  if (folder !== raw) reading.rewrites.push({ path, on: 'value', value: folder })
  if (existsSync(folder))
    try {
      return { [detectFormat(folder)]: { path: folder } }
    } catch (error) {
      for (const { message, file } of diagnosticsOf(error))
        refuse(reading.problems, path, file === undefined ? message : `${file} ${message}`)
      return undefined
    }
  const isFormat = datasetFormats.byName.has(raw) ? `; \`${raw}\` as a format is {${raw}: {path: ...}}` : ''
  return refuse(reading.problems, path, `there is no file or folder ${folder}${isFormat}`)
}

/** Results name a dataset by the last part of its path, so it must be unique. */
function refuseEqual(choices: readonly { path: Path; choice: Choice }[], { problems }: Reading): void {
  const named = new Map<string, Choice>()
  for (const { path, choice } of choices) {
    const name = datasetName(choice)
    const first = named.get(name)
    if (!first) named.set(name, choice)
    else if (canonical({ ...first }) === canonical({ ...choice }))
      refuse(problems, path, `the dataset \`${name}\` is listed already`)
    else
      refuse(
        problems,
        path,
        `another dataset is called \`${name}\` too; rename one of them, or give it a link of another name`,
      )
  }
}

export interface DatasetExperiment {
  readonly dataset: string
  readonly folder: string
  readonly experiment: Experiment
}

/** Names that an experiment's folder uses. */
const TAKEN = ['lock', 'plan.json', 'summary.json', 'manifest.json', 'timings']

/**
 * Cuts an experiment into one per dataset, each as if the config had this dataset alone: same bytes, same hash. With own
 * graphs, ids of trials are those of the first.
 */
export function splitDatasets(experiment: Experiment): DatasetExperiment[] {
  const { datasets, resolved } = experiment
  const takenNames = new Set(TAKEN)
  const prepare = isMap(resolved) && isMap(resolved.prepare) ? resolved.prepare : {}
  const namesGraph = prepare.graph !== undefined
  return datasets.map((choice, index) => {
    const dataset = datasetName(choice)
    const folder = folderName(dataset, takenNames)
    takenNames.add(folder.toLowerCase())
    return {
      dataset,
      folder,
      experiment: {
        ...experiment,
        datasets: [choice],
        recipes: namesGraph
          ? experiment.recipes
          : experiment.recipes.map((choices) => withOwnPaths(choices, datasets[0], choice)),
        resolved: only(resolved, index),
      },
    }
  })
}

function folderName(dataset: string, takenNames: ReadonlySet<string>): string {
  const safe =
    dataset
      .replace(/[^A-Za-z0-9._-]+/g, '-')
      .replace(/^[._-]+/, '')
      .slice(0, 80) || 'dataset'
  for (let number = 1; ; number++) {
    const name = number === 1 ? safe : `${safe}-${number}`
    if (!takenNames.has(name.toLowerCase())) return name
  }
}

function only(resolved: Json, index: number): Json {
  return isMap(resolved) && Array.isArray(resolved.dataset)
    ? ({ ...resolved, dataset: resolved.dataset[index] } as Json)
    : resolved
}
