import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, resolve } from 'node:path'
import { type Mistake, UserError } from '../errors.ts'
import { strategies } from '../strategies/index.ts'
import { loadStrategy } from '../strategies/load.ts'
import type { Json } from '../types.ts'
import { checkArms } from './arms.ts'
import { readCompare, readMeasures } from './compare.ts'
import { readDatasets } from './datasets.ts'
import type { Experiment, RecipeChoices, Tuning } from './experiment.ts'
import { explain } from './explain.ts'
import { PREPARE } from './kinds.ts'
import { readPrepare } from './prepare.ts'
import { prices, readPrices } from './prices.ts'
import { isMap, type Problem, showPath } from './problem.ts'
import type { Reading } from './reading.ts'
import { resolvedConfig } from './resolved.ts'
import { readRuns } from './runs.ts'
import { configSchema, latency, type RawConfig } from './schema.ts'
import { readSource, type Source, type SourceOptions } from './source.ts'
import { trialNames } from './trial-names.ts'
import { isFile, readTrials, type StrategyFile, strategyNames } from './trials.ts'

/**
 * Reads a config: the YAML in `file`, overridden by `set`, as an experiment. Strategies named by file are loaded, their
 * code is run. Throws a UserError with every mistake and its place.
 */
export async function loadConfig(file: string, options: SourceOptions): Promise<Experiment> {
  const source = readSource(file, options)
  const problems: Problem[] = [...source.problems]
  const config = readKeys(source.value, problems)
  const reading: Reading = {
    problems,
    folder: dirname(source.file),
    folderOf: source.folderOf,
    placeOf(path) {
      const { message: _, ...place } = source.locate({ path, message: '' })
      return place
    },
    limit: config.maxTrials,
    resolved: [],
    pinned: new Map(),
  }

  const datasets = readDatasets(source.value.dataset, reading)
  const measures = readMeasures(config.measures, config.depth, problems)
  const files = await loadStrategies(config.trials, reading)
  const before = problems.length
  const recipes = readPrepare(isMap(source.value.prepare) ? source.value.prepare : {}, ['prepare'], reading)
  const entries = config.trials.map((raw, place) => ({ raw, path: ['trials', place] }))
  const all = [...entries, ...readRuns(config.runs, reading)]
  const placed = readTrials(all, recipes.length > 0 ? recipes : [UNREAD], files, reading)
  const trials = placed.map(({ trial }) => trial)
  const complete =
    problems.length === before && trials.length > 0 && files.size === fileNames(config.trials).length
  const names = trialNames(trials, complete ? [] : all)
  checkArms(placed, names, problems)
  const compare = readCompare(config.compare, config.seed, measures, { trials, complete, names }, problems)
  if (config.folds !== undefined && config.split !== undefined)
    problems.push({ path: ['split'], on: 'key', message: 'there are `folds` already; name one of the two' })
  if (problems.length > 0 || source.mistakes.length > 0 || !compare)
    throw new UserError(located(source, problems))

  return {
    name: config.name ?? nameOf(source.file),
    file: source.file,
    datasets,
    recipes: recipes.map(({ choices }) => choices),
    recipePlaces: recipes.map(({ places }) => places),
    trials,
    depth: config.depth,
    measures,
    tuning: readTuning(config),
    compare,
    latency: config.latency || null,
    prices: readPrices(config.prices),
    seed: config.seed,
    resolved: resolvedConfig(
      { ...config, name: config.name ?? nameOf(source.file) } as unknown as Json,
      reading.resolved,
    ),
  }
}

/** Stands for a recipe where `prepare` is wrong, so that the trials are read all the same; no experiment comes of it. */
const UNREAD = { choices: {} as RecipeChoices, places: {}, content: null, varied: {}, facets: {} }

function readTuning({ folds, split, seed }: RawConfig): Tuning {
  if (folds !== undefined) return { kind: 'folds', folds, seed }
  return split ? { kind: 'split', dev: split.dev, seed: split.seed ?? seed } : { kind: 'none' }
}

/** The keys, each with its default where it is missing or wrong, so that one mistake does not hide the next. */
function readKeys(value: Record<string, unknown>, problems: Problem[]): RawConfig {
  const whole = configSchema.safeParse(value)
  if (whole.success) return whole.data
  for (const issue of whole.error.issues) {
    const top = String(issue.path[0])
    const owner = top in OWNERS ? top : 'the config'
    const keys = OWNERS[owner as keyof typeof OWNERS] ?? Object.keys(configSchema.shape)
    problems.push(...explain([issue], value, owner, keys, 'key'))
  }
  return Object.fromEntries(
    Object.entries(configSchema.shape).map(([key, schema]) => {
      const one = schema.safeParse(value[key])
      return [key, one.success ? one.data : (schema.safeParse(undefined).data ?? EMPTY[key])]
    }),
  ) as RawConfig
}

/** What stands for a needed key that is not there, so that reading can go on to the next mistake. */
const EMPTY: Readonly<Record<string, unknown>> = { trials: [] }

/** The keys that have keys of their own, with these. */
const OWNERS = {
  prepare: Object.keys(PREPARE),
  compare: Object.keys(configSchema.shape.compare.unwrap().shape),
  split: Object.keys(configSchema.shape.split.unwrap().shape),
  latency: Object.keys(latency.shape),
  prices: Object.keys(prices.shape),
}

function fileNames(trials: readonly unknown[] | undefined): string[] {
  const names = strategyNames(trials ?? [], ['trials']).map(({ name }) => name)
  return [...new Set(names.filter(isFile))]
}

async function loadStrategies(
  trials: readonly unknown[] | undefined,
  reading: Reading,
): Promise<Map<string, StrategyFile>> {
  const files = new Map<string, StrategyFile>()
  const failed = new Set<string>()
  for (const { name, path } of strategyNames(trials ?? [], ['trials'])) {
    if (!isFile(name)) continue
    const absolute = resolve(reading.folderOf(path), name)
    const on = path.length === 2 ? 'value' : 'key'
    if (absolute !== name) reading.resolved.push({ path, on, value: absolute })
    if (files.has(name) || failed.has(name)) continue
    try {
      if (!existsSync(absolute)) throw new UserError(`there is no file ${absolute}`)
      const definition = await loadStrategy(absolute)
      if (Object.hasOwn(strategies, definition.name))
        throw new UserError(
          `${name} calls itself \`${definition.name}\`, which is a strategy already; give it another name`,
        )
      const sha256 = createHash('sha256').update(readFileSync(absolute)).digest('hex')
      files.set(name, { path: absolute, sha256, definition })
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      failed.add(name)
      reading.problems.push({ path, on, message: error.message })
    }
  }
  return files
}

/** In the order of the file, each once; what stands on the command line last. */
function located(source: Source, problems: readonly Problem[]): Mistake[] {
  // What follows from a variable that is not set is no mistake of its own.
  const unset = new Set(source.problems.map(({ path }) => showPath(path)))
  const own = problems.filter(
    (problem) => source.problems.includes(problem) || !unset.has(showPath(problem.path)),
  )
  const mistakes = [...source.mistakes, ...own.map((problem) => source.locate(problem))]
  const distinct = new Map(mistakes.map((mistake) => [JSON.stringify(mistake), mistake]))
  const { MAX_SAFE_INTEGER: last } = Number
  return [...distinct.values()].sort(
    (a, b) => (a.line ?? last) - (b.line ?? last) || (a.column ?? last) - (b.column ?? last),
  )
}

function nameOf(file: string): string {
  const name = basename(file, extname(file))
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
  return name.slice(0, 100) || 'experiment'
}
