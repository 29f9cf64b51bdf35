import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { sharedGold } from '../../dataset/clusters.ts'
import { type WithoutDocuments, withoutDocuments } from '../../dataset/types.ts'
import { UserError } from '../../errors.ts'
import { cacheFolder } from '../../hub/cache.ts'
import { megabytes } from '../../hub/download.ts'
import type { NotDownloaded } from '../../hub/open.ts'
import { sharedGoldInWords } from '../../report/findings/origin.ts'
import { defineCommand } from '../command.ts'
import { CONFIG_NAME, configFile, hasConfig } from '../config-file.ts'
import type { Io } from '../io.ts'
import { SET } from '../options.ts'

export const check = defineCommand({
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
    models: {
      kind: 'flag',
      summary: 'send one tiny request to each model of the config; prints latency and price',
    },
    engines: {
      kind: 'flag',
      summary: 'ask each engine of the config for its version; prints it and the latency',
    },
  },
  examples: [
    'touchstone check configs/quickstart.yaml',
    'touchstone check configs/quickstart.yaml --models',
    'touchstone check datasets/quickstart',
  ],
  async run({ args, options, io }) {
    const isConfig = args.target === undefined || hasConfig(resolve(io.folder, args.target))
    const target = isConfig ? configFile(io.folder, args.target) : (args.target as string)
    const { NotDownloaded, openNamed } = await import('../../hub/open.ts')
    const path = await openNamed(target, io.folder, { ...io, notice: io.err, readAll: true })
    if (!existsSync(path)) throw new UserError({ file: target, message: 'there is no such file or folder' })
    const { detectFormat, loadDataset } = await import('../../dataset/load.ts')
    if (/\.ya?ml$/i.test(path) && statSync(path).isFile()) {
      const { openConfigs } = await import('../../library/open-config.ts')
      const config = await openConfigs(io, target, { ...options, checksOnly: true }).catch(
        (error: unknown) => {
          if (!(error instanceof NotDownloaded)) throw error
          return error
        },
      )
      if (config instanceof NotDownloaded) return reportMissing(target, config.missing, options.json, io)
      const { experiment, opened } = config
      const { checkRunFiles, requireKnownAnswers, requireQueries } = await import(
        '../../experiment/plan/fit.ts'
      )
      const texts: string[] = []
      for (const { open } of opened) {
        if (open.dataset.queries.length === 0) continue
        requireQueries(open)
        const read = await checkRunFiles(open)
        requireKnownAnswers(open)
        texts.push(...new Set(read.map((line) => `note: ${line}`)))
      }
      const datasets = opened.map(({ open }) => open.dataset)
      const trials = opened[0].open.trials.length
      const { checkModels, checkedInWords } = await import('../check-models.ts')
      const models = options.models ? await checkModels(experiment) : undefined
      const { checkEngines, enginesInWords } = await import('../check-engines.ts')
      const engines = options.engines ? await checkEngines(experiment) : undefined
      const found = {
        experiment: experiment.name,
        trials,
        ...(models && { models }),
        ...(engines && { engines }),
      }
      const { printEstimates } = await import('../../library/print-estimates.ts')
      const { needs, warnings } = await printEstimates(opened)
      const { lacksCuts } = await import('../../experiment/plan/unread.ts')
      const uncounted = opened.some(({ open }) => lacksCuts(open)) ? [UNCOUNTED] : []
      const lines = [...datasets.flatMap(inWords), ...texts, ...needs, ...warnings, ...uncounted]
      if (!options.json)
        io.out(
          [
            `${target} is valid: ${trials} trials`,
            ...lines,
            ...(models ? checkedInWords(models) : []),
            ...(engines ? enginesInWords(engines) : []),
          ].join('\n'),
        )
      else if (datasets.length > 1) io.json({ ...found, datasets: datasets.map(describe) })
      else io.json({ ...found, ...describe(datasets[0]) })
      return
    }
    if (options.models) throw new UserError('--models asks the models of a config, and this is a dataset')
    if (options.engines) throw new UserError('--engines asks the engines of a config, and this is a dataset')
    if (options.set.length > 0) throw new UserError('--set overrides keys of a config, and this is a dataset')
    refuseOthers(path, target, detectFormat)
    const format = detectFormat(path)
    const loaded = await loadDataset({ name: format, params: { path } }, io.folder, {
      cache: cacheFolder(io.env),
      progress: io.progress,
    })
    const dataset = withoutDocuments(loaded)
    if (options.json) io.json({ format, ...describe(dataset) })
    else io.out([`${target} is valid, as ${format}`, ...inWords(dataset)].join('\n'))
  },
})

/** Reports the downloads that the rest of a check needs. */
function reportMissing(target: string, missing: NotDownloaded['missing'], json: boolean, io: Io): void {
  const downloads = [...new Map(missing.map((one) => [JSON.stringify(one), one])).values()]
  if (json) {
    io.json({ downloads })
    return
  }
  const lines = downloads.map(
    ({ name, files, bytes }) => `to download: ${name}, ${files} files, ${megabytes(bytes)}`,
  )
  io.out(
    [
      `${target} has no error so far; \`touchstone prepare\` downloads what the other checks need`,
      ...lines,
    ].join('\n'),
  )
}

const UNCOUNTED = 'note: `touchstone plan` counts the chunks that are longer than a model reads'

/** True for the folder of a GraphRAG project, which has its settings next to its output. */
function isGraphrag(path: string, formatOf: (path: string) => string): boolean {
  try {
    return formatOf(path) === 'graphrag'
  } catch (error) {
    if (error instanceof UserError) return false
    throw error
  }
}

/** Throws a UserError for folders that are not datasets, with a hint at the right command. */
function refuseOthers(path: string, shown: string, formatOf: (path: string) => string): void {
  if (!statSync(path).isDirectory()) return
  const files = readdirSync(path)
  const fail = (message: string) => new UserError({ file: shown, message })
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
  const { name, documents, queries, qrels, judgedUnit, first, notices } = dataset
  const judged = queries.filter(({ id }) => qrels.has(id)).length
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
