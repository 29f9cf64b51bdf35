import { basename, dirname, extname } from 'node:path'
import type { Choice } from '../corpus/recipe.ts'
import { type Diagnostic, UserError } from '../errors.ts'
import { NotDownloaded, openHub } from '../hub/open.ts'
import { isMap } from '../text/json.ts'
import type { Json } from '../types.ts'
import { checkComparedAnswers, readAnswerers, readJudges } from './answers.ts'
import { baselineGroup, readCompare, readContext, readMeasures, readMetrics } from './compare.ts'
import { DATASETS, datasetFiles, readDatasets, withOwnGraph } from './datasets.ts'
import type { Experiment, Tuning } from './experiment.ts'
import { explain } from './explain.ts'
import { filesIn, isFile, loadCustomFiles, type NamedFile } from './files.ts'
import { checkInner, takeRouters } from './inner-trials.ts'
import { readEngines, readModels, readRerankers } from './models.ts'
import { loadParts } from './parts.ts'
import { PREPARE, type Preparation, type RecipeChoices, readPrepare } from './prepare.ts'
import { type NamedChoices, type Problem, type Reading, refuse, rewritten, showPath } from './reading.ts'
import { fetchNamed } from './remote.ts'
import { configSchema, type RawConfig, readPrices } from './schema.ts'
import { type ConfigSource, readSource, type SourceOptions } from './source.ts'
import { AFTER, BEFORE, readRuns, readTrials, STRATEGIES, strategyNames, type TrialEntry } from './trials.ts'

/**
 * Reads a config as an experiment. Runs the code of custom files. `limit`: number of queries of a sample. Throws a
 * UserError with every error and its location, or a NotDownloaded if the hub only looks names up.
 */
export async function loadConfig(
  file: string,
  { limit, ...options }: SourceOptions & { readonly limit?: number | undefined },
): Promise<Experiment> {
  const read = readSource(file, options)
  const fetched = await fetchNamed(
    read.value,
    read.folderOf,
    options.hub ?? openHub({ env: options.env, notice() {}, progress() {} }),
  )
  const source = { ...read, value: fetched.value, problems: [...read.problems, ...fetched.problems] }
  const problems: Problem[] = [...source.problems]
  const config = readKeys(source.value, problems)
  const reading = await startReading(source, config, problems)
  const { model, reranker, engine } = reading.named
  const answering = readAnswerers(source.value.answer, reading)
  const judging = readJudges(source.value.judge, source.value.answer !== undefined, reading)
  checkComparedAnswers(config.compare.answers, judging, answering, problems)

  await loadCustomFiles(datasetFiles(source.value.dataset), DATASETS, reading)
  const datasets = readDatasets(source.value.dataset, reading)
  const { names, by, metrics, custom } = await readMetrics(config, reading)
  const measures = readMeasures(names, config.depth, metrics, problems)
  const entries = config.trials.map((raw, index) => ({ raw, path: ['trials', index] }))
  const prepare = withOwnGraph(isMap(source.value.prepare) ? source.value.prepare : {}, datasets)
  await loadParts(prepare)
  const before = problems.length
  await loadFiles(entries, prepare, reading)
  const recipes = readPrepare(prepare, ['prepare'], reading)
  const all = [...entries, ...readRuns(config.runs, reading)]
  const placed = readTrials(all, recipes.length > 0 ? recipes : [UNREAD], reading)
  const unread = problems.length === before && placed.length > 0 ? [] : all
  checkInner(placed, unread, problems)
  const tuning = readTuning(config)
  const { trials, routers } = takeRouters(placed, tuning, config.compare.baseline, problems)
  const { baseline } = routers.some(({ name }) => name === config.compare.baseline) ? {} : config.compare
  const compare = readCompare(
    { ...config.compare, baseline, by },
    config.seed,
    { measures, metrics },
    trials,
    unread,
    problems,
  )
  const context = readContext(config.context, compare?.by, metrics, config.depth, problems)
  if (config.folds !== undefined && config.split !== undefined)
    refuse(problems, ['split'], 'there are `folds` already; name one of the two', 'key')
  const paths = fetched.missing.map(({ path }) => path)
  const errors = problems.filter(
    ({ path }) => !paths.some((above) => above.every((key, at) => path[at] === key)),
  )
  if (errors.length > 0 || source.diagnostics.length > 0 || (!compare && paths.length === 0))
    throw new UserError(located(source, errors))
  if (!compare || paths.length > 0)
    throw new NotDownloaded(fetched.missing.flatMap(({ error }) => error.missing))

  const { track, ...untracked } = config
  const name = config.name ?? nameOf(source.file)
  const group = baselineGroup(baseline, trials, reading.locate(['compare', 'baseline']))
  return {
    // The folder of a sample is never that of the whole.
    name: limit === undefined ? name : `${name.slice(0, 80)}.sample-${limit}`,
    file: source.file,
    datasets,
    ...(limit !== undefined && { sample: { queries: limit, seed: config.seed } }),
    ...(fetched.downloads.length > 0 && { downloads: fetched.downloads.map(({ folder: _, ...one }) => one) }),
    recipes: recipes.map(({ choices }) => choices),
    models: choicesOf(model.known),
    rerankers: choicesOf(reranker.known),
    engines: choicesOf(engine.known),
    modelLocations: Object.fromEntries(
      [
        ...[...model.known.keys()].map((name) => ['models', name] as const),
        ...[...reranker.known.keys()].map((name) => ['rerankers', name] as const),
      ].map((path) => [path[1], reading.locate(path)]),
    ),
    budget: config.budget ?? null,
    recipeLocations: recipes.map(({ locations }) => locations),
    trials,
    routers,
    depth: config.depth,
    context,
    answering,
    judging,
    measures,
    metrics: custom,
    tuning,
    compare,
    ...(group && { baselineGroup: group }),
    latency: config.latency || null,
    prices: readPrices(config.prices),
    seed: config.seed,
    ...(track && { track }),
    resolved: rewritten({ ...untracked, name } as Json, reading.rewrites),
  }
}

/** State of reading that knows the config's models, rerankers and engines. */
async function startReading(
  source: ReturnType<typeof readSource>,
  config: RawConfig,
  problems: Problem[],
): Promise<Reading> {
  const mapAt = (key: string) => {
    const value = source.value[key]
    return isMap(value) ? value : {}
  }
  const reading: Reading = {
    problems,
    folder: dirname(source.file),
    folderOf: source.folderOf,
    locate(path) {
      const { message: _, ...location } = source.locate({ path, message: '' })
      return location
    },
    rewrites: [],
    customFiles: new Map(),
    pinned: new Map(),
    named: {
      model: { raw: mapAt('models'), known: new Map() },
      reranker: { raw: mapAt('rerankers'), known: new Map() },
      engine: { raw: mapAt('engines'), known: new Map() },
    },
  }
  await loadParts([source.value, config.runs.length > 0 ? 'run' : ''])
  readModels(source.value.models, reading, config.budget)
  readRerankers(source.value.rerankers, reading, config.budget)
  readEngines(source.value.engines, reading)
  return reading
}

function choicesOf(named: NamedChoices): Record<string, Choice> {
  return Object.fromEntries([...named].map(([name, { choice }]) => [name, choice]))
}

async function loadFiles(
  entries: readonly TrialEntry[],
  prepare: Readonly<Record<string, unknown>>,
  reading: Reading,
): Promise<void> {
  const strategies = entries.flatMap(strategyNames).filter(({ name }) => isFile(name))
  const named = strategies.map(
    ({ name, path }): NamedFile => ({ name, path, on: path.length === 2 ? 'value' : 'key' }),
  )
  await loadCustomFiles(named, STRATEGIES, reading)
  for (const slot of [BEFORE, AFTER]) {
    const { key } = slot
    const files = entries.flatMap(({ raw, path }) => (isMap(raw) ? filesIn(raw[key], [...path, key]) : []))
    await loadCustomFiles(files, slot, reading)
  }
  for (const [key, preparation] of Object.entries<Preparation>(PREPARE))
    await loadCustomFiles(filesIn(prepare[key], ['prepare', key]), preparation, reading)
}

/** Stands for a wrong `prepare`, so that trials are checked too. */
const UNREAD = { choices: {} as RecipeChoices, locations: {}, content: null, varied: {}, facets: {} }

function readTuning({ folds, split, seed }: RawConfig): Tuning {
  if (folds !== undefined) return { kind: 'folds', folds, seed }
  return split ? { kind: 'split', dev: split.dev, seed: split.seed ?? seed } : { kind: 'none' }
}

/** Reads the keys, each with its default if missing or wrong, so that all errors are reported at once. */
function readKeys(value: Record<string, unknown>, problems: Problem[]): RawConfig {
  const whole = configSchema.safeParse(value)
  if (whole.success) return whole.data
  problems.push(...explain(configSchema, whole.error.issues, value, 'the config', 'key'))
  return Object.fromEntries(
    Object.entries(configSchema.shape).map(([key, schema]) => {
      const result = schema.safeParse(value[key])
      return [key, result.success ? result.data : (schema.safeParse(undefined).data ?? EMPTY[key])]
    }),
  ) as RawConfig
}

const EMPTY: Readonly<Record<string, unknown>> = { trials: [] }

/** Diagnostics in the order of the file, those of the command line last. */
function located(source: ConfigSource, problems: readonly Problem[]): Diagnostic[] {
  // A value with an unset variable has that error only.
  const unset = new Set(source.problems.map(({ path }) => showPath(path)))
  const reported = problems.filter(
    (problem) => source.problems.includes(problem) || !unset.has(showPath(problem.path)),
  )
  const diagnostics = [...source.diagnostics, ...reported.map((problem) => source.locate(problem))]
  const distinct = new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic]))
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
