import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sharedGold } from '../../dataset/clusters.ts'
import { type WithoutDocuments, withoutDocuments } from '../../dataset/types.ts'
import { UserError } from '../../errors.ts'
import { cacheFolder } from '../../hub/cache.ts'
import { megabytes } from '../../hub/download.ts'
import type { NotDownloaded } from '../../hub/open.ts'
import { sharedGoldInWords } from '../../report/findings/origin.ts'
import { FEWEST_QUERIES } from '../../statistics/sample.ts'
import { defineCommand, flag } from '../command.ts'
import type { Io } from '../io.ts'
import { CONFIG_NAME, configFile, hasConfig, SET } from '../options.ts'

export default defineCommand({
  name: 'check',
  summary:
    'report every error in a config and its data, with file, line and column; lists missing downloads with their sizes',
  args: {
    target: {
      value: 'CONFIG|DATASET',
      summary: `YAML file, or a folder or file with a dataset (default: ${CONFIG_NAME} of the working folder)`,
      optional: true,
    },
  },
  options: {
    set: SET,
    models: flag('send one tiny request to each model of the config; prints latency and price'),
    engines: flag('ask each engine of the config for its version; prints it and the latency'),
  },
  examples: [
    'touchstone check configs/quickstart.yaml',
    'touchstone check configs/quickstart.yaml --models',
    'touchstone check datasets/quickstart',
  ],
  async run({ args, options, io }) {
    const isConfig = args.target === undefined || hasConfig(io.path(args.target))
    const target = isConfig ? configFile(io.folder, args.target) : (args.target as string)
    const { openNamed } = await import('../../hub/open.ts')
    const path = await openNamed(target, io.folder, { ...io, notice: io.err, readAll: true })
    if (!existsSync(path)) throw new UserError('there is no such file or folder', target)
    if (/\.ya?ml$/i.test(path) && statSync(path).isFile()) return checkConfig(target, options, io)
    if (options.models) throw new UserError('--models asks the models of a config, and this is a dataset')
    if (options.engines) throw new UserError('--engines asks the engines of a config, and this is a dataset')
    if (options.set.length > 0) throw new UserError('--set overrides keys of a config, and this is a dataset')
    const { detectFormat } = await import('../../dataset/detect.ts')
    const { loadDataset } = await import('../../dataset/load.ts')
    refuseOthers(path, target, detectFormat)
    const format = detectFormat(path)
    const reading = { cache: cacheFolder(io.env), progress: io.progress }
    const dataset = withoutDocuments(
      await loadDataset({ name: format, params: { path } }, io.folder, reading),
    )
    io.result({ format, ...describe(dataset) }, () =>
      [`${target} is valid, as ${format}`, ...inWords(dataset)].join('\n'),
    )
  },
})

interface CheckOptions {
  readonly set: readonly string[]
  readonly models: boolean
  readonly engines: boolean
}

async function checkConfig(target: string, options: CheckOptions, io: Io): Promise<void> {
  const { NotDownloaded } = await import('../../hub/open.ts')
  const { openConfigs } = await import('../../library/open-config.ts')
  const config = await openConfigs(io, target, { ...options, checksOnly: true }).catch((error: unknown) => {
    if (!(error instanceof NotDownloaded)) throw error
    return error
  })
  if (config instanceof NotDownloaded) return reportMissing(target, config.missing, io)
  const { experiment, opened } = config
  const { checkRunFiles, requireKnownAnswers, requireQueries } = await import('../../experiment/plan/fit.ts')
  const notes: string[] = []
  for (const { open } of opened) {
    if (open.dataset.queries.length === 0) continue
    requireQueries(open)
    const read = await checkRunFiles(open)
    requireKnownAnswers(open)
    notes.push(...new Set(read.map((line) => `note: ${line}`)))
    const { judged } = describe(open.dataset)
    if (judged < FEWEST_QUERIES)
      notes.push(
        `note: a verdict needs ${FEWEST_QUERIES} queries with gold, and ${open.dataset.name} has ${judged}`,
      )
  }
  const datasets = opened.map(({ open }) => open.dataset)
  const trials = opened[0].open.trials.length
  const { checkEngines, checkModels, enginesInWords, modelsInWords } = await import('../check-servers.ts')
  const models = options.models ? await checkModels(experiment) : undefined
  const engines = options.engines ? await checkEngines(experiment) : undefined
  const { printEstimates } = await import('../../library/print-estimates.ts')
  const { needs, warnings } = await printEstimates(opened)
  const { lacksCuts } = await import('../../experiment/plan/unread.ts')
  const [first, ...others] = datasets.map(describe)
  io.result(
    {
      experiment: experiment.name,
      trials,
      models,
      engines,
      ...(others.length > 0 ? { datasets: [first, ...others] } : first),
    },
    [
      `${target} is valid: ${trials} trials`,
      ...datasets.flatMap(inWords),
      ...notes,
      ...needs,
      ...warnings,
      ...(opened.some(({ open }) => lacksCuts(open)) ? [UNCOUNTED] : []),
      ...(models ? modelsInWords(models) : []),
      ...(engines ? enginesInWords(engines) : []),
    ].join('\n'),
  )
}

function reportMissing(target: string, missing: NotDownloaded['missing'], io: Io): void {
  const downloads = [...new Map(missing.map((model) => [JSON.stringify(model), model])).values()]
  const lines = downloads.map(
    ({ name, files, bytes }) => `to download: ${name}, ${files} files, ${megabytes(bytes)}`,
  )
  const valid = `${target} has no error so far; \`touchstone prepare\` downloads what the other checks need`
  io.result({ downloads }, [valid, ...lines].join('\n'))
}

const UNCOUNTED = 'note: `touchstone plan` counts the chunks that are longer than a model reads'

/** A GraphRAG project has its settings next to its output. */
function isGraphrag(path: string, formatOf: (path: string) => string): boolean {
  try {
    return formatOf(path) === 'graphrag'
  } catch (error) {
    if (error instanceof UserError) return false
    throw error
  }
}

/** Throws a UserError with a hint at the right command for folders that are no datasets. */
function refuseOthers(path: string, shown: string, formatOf: (path: string) => string): void {
  if (!statSync(path).isDirectory()) return
  const files = readdirSync(path)
  const fail = (message: string) => new UserError(message, shown)
  if (files.length === 0) throw fail('is an empty folder')
  if (files.includes('plan.json'))
    throw fail(`is an experiment's folder; \`touchstone leaderboard ${shown}\` shows what is in it`)
  const configs = files.filter((file) => /\.ya?ml$/i.test(file))
  const isData = files.some((file) => /\.(jsonl?|tsv|md|txt|gz)$|^qrels/i.test(file))
  if (configs.length > 0 && !isData && !isGraphrag(path, formatOf))
    throw fail(
      `holds configs and no dataset; check one of them: ${configs.map((file) => join(shown, file)).join(', ')}`,
    )
}

function describe(dataset: WithoutDocuments) {
  const { name, documents, queries, qrels, spans, judgedUnit, first, notices } = dataset
  const judged = queries.filter(({ id }) => qrels.has(id) || spans.has(id)).length
  return {
    dataset: name,
    documents,
    queries: queries.length,
    judged,
    judgedUnit,
    first,
    notices,
    shared: sharedGold(dataset),
  }
}

function inWords(dataset: WithoutDocuments): string[] {
  const { documents, queries, judgedUnit, first, notices, shared } = describe(dataset)
  return [
    `${dataset.name}: ${documents} documents, ${queries} queries, gold by ${judgedUnit}`,
    ...first.map((line) => `  ${line}`),
    ...notices.map((notice) => `note: ${notice}`),
    ...(shared ? [`note: ${sharedGoldInWords(shared, queries)}`] : []),
  ]
}
