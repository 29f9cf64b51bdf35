import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { graphExports } from '../../corpus/graph/exports/index.ts'
import type { DatasetFormat } from '../../dataset/format.ts'
import { datasetFormats } from '../../dataset/formats/index.ts'
import { detectFormat, loadDataset } from '../../dataset/load.ts'
import { UserError } from '../../errors.ts'
import { cacheFolder } from '../../hub/cache.ts'
import { exportCode } from '../../library/export-code.ts'
import { exportGraph, requireGraphOutput } from '../../library/export-graph.ts'
import { openConfig } from '../../library/open-config.ts'
import { holdsDatasets } from '../../results/dataset-folders.ts'
import { readKeptQrels, readKeptRun } from '../../results/kept-run.ts'
import { RUN_FORMATS } from '../../runs/formats.ts'
import { FILE_KINDS, type FileKind, kindOfFile } from '../../runs/kind.ts'
import { formatNamed, readQrels, readRun } from '../../runs/read.ts'
import type { SkippedCounts } from '../../runs/types.ts'
import { writeText } from '../../runs/write.ts'
import { NEW_FILE, requireOutputs } from '../../store/output.ts'
import { shownPath } from '../../text/shown-path.ts'
import { defineCommand, SET, STORE } from '../command.ts'
import { configFile, hasConfig } from '../config-file.ts'
import type { Io } from '../io.ts'
import { COLUMN_OPTIONS, chosenColumns } from '../judged-runs.ts'

export const exportCommand = defineCommand({
  args: {
    path: {
      value: 'PATH',
      summary:
        'run, qrels, BEIR folder (its qrels), experiment folder (with --trial, otherwise its qrels), or config (its graph)',
    },
  },
  options: {
    trial: {
      kind: 'text',
      short: 't',
      value: 'NAME',
      summary: 'write this trial of an experiment as a run, from its stored rankings (to rank 20)',
    },
    kind: {
      kind: 'text',
      value: 'KIND',
      choices: FILE_KINDS,
      summary: 'kind of the file, if it cannot be recognized',
    },
    from: { kind: 'text', value: 'FORMAT', summary: 'format to read (default: recognized from the file)' },
    to: {
      kind: 'text',
      value: 'FORMAT',
      summary:
        'format to write (default: by the ending of -o); hotpotqa, 2wiki or musique for a whole dataset; graphrag or graphml for the graph of a config; code for a program around a trial',
    },
    out: {
      kind: 'text',
      short: 'o',
      value: 'FILE',
      output: true,
      summary: 'file to write, gzip if it ends in .gz; the new folder of a program or of a graph',
    },
    set: SET,
    store: STORE,
    ...COLUMN_OPTIONS,
    lenient: { kind: 'flag', summary: 'accept malformed lines that trec_eval accepts, and count them' },
  },
  examples: [
    'touchstone export bm25.trec -o bm25.parquet',
    'touchstone export datasets/quickstart --to trec -o quickstart.qrels',
    'touchstone export run.json --kind run --to trec -o run.trec.gz',
    'touchstone export experiments/quickstart --trial bm25 -o bm25.trec',
    'touchstone export experiments/quickstart --to trec -o gold.qrels',
    'touchstone export datasets/hotpotqa --to hotpotqa -o hotpotqa.json',
    'touchstone export experiments/quickstart --trial bm25 --to code -o retriever',
    'touchstone export configs/quickstart.yaml --to graphrag -o graph',
    'touchstone export configs/quickstart.yaml --to graphml -o graph.graphml',
  ],
  async run({ args, options, io }) {
    if (options.out === undefined) throw new UserError('name the file to write: -o FILE')
    const path = resolve(io.folder, args.path)
    const out = resolve(io.folder, options.out)
    if (options.to === 'code') return exportProgram(path, out, options, io)
    if (isConfig(path)) return exportGraphOf(args.path, out, options, io)
    requireOutputs([{ path: out, kind: NEW_FILE }])
    const dataset = datasetFormats.all.find(({ name, write }) => name === options.to && write)
    if (dataset) return exportDataset(path, out, dataset, options, io)
    if (!existsSync(path)) throw new UserError({ file: path, message: 'is not there' })
    if (isExperiment(path)) return exportExperiment(path, out, options, io)
    if (options.trial !== undefined)
      throw new UserError({
        file: path,
        message: 'is not an experiment folder; --trial names a trial of one',
      })
    const kind = (options.kind as FileKind | undefined) ?? kindOf(path)
    const to = options.to ?? formatOfPath(out)
    const columns = chosenColumns(options)
    const tell = (notices: SkippedCounts, read?: string) => {
      if (read !== undefined) io.err(`${path}: ${read}`)
      for (const [what, count] of Object.entries(notices)) io.err(`${path}: ${what}: ${count}`)
    }
    let queries: number
    if (kind === 'run') {
      const format = formatNamed(to, 'writeRun')
      const given = { lenient: options.lenient, columns: columns.run }
      const { value, notices, read } = await readRun(path, given, options.from)
      tell(notices, read)
      await format.writeRun?.(out, value)
      queries = value.queries.size
    } else {
      const format = formatNamed(to, 'writeQrels')
      const given = { lenient: options.lenient, columns: columns.qrels }
      const { value, notices, read } = await readQrels(path, given, options.from)
      tell(notices, read)
      await format.writeQrels?.(out, value)
      queries = value.qrels.size
    }
    if (options.json) io.json({ from: path, to: out, format: to, kind, queries })
    else io.out(`${out}: ${kind === 'run' ? 'rankings' : 'qrels'} of ${queries} queries`)
  },
})

/** True if `path` is a config, whose graph is exported. */
function isConfig(path: string): boolean {
  return /\.ya?ml$/i.test(path) || hasConfig(path)
}

/** Writes the graph that a config makes. */
async function exportGraphOf(
  config: string,
  out: string,
  { to, set, store, json }: { to?: string; set: readonly string[]; store?: string; json: boolean },
  io: Io,
): Promise<void> {
  const form = graphExports.find(({ name }) => name === to)
  if (!form)
    throw new UserError(
      `what of ${config} is exported? Its graph: --to ${graphExports.map(({ name }) => name).join(', --to ')}`,
    )
  requireGraphOutput(out, form)
  const open = await openConfig(io, configFile(io.folder, config), { set, store, allowEmpty: true })
  const { entities, relationships, notes } = await exportGraph(open, form, out, io.progress)
  for (const note of notes) io.err(`note: ${note}`)
  if (json) io.json({ from: config, to: out, format: form.name, entities, relationships, notes })
  else io.out(`${out}: ${entities} entities, ${relationships} relationships`)
}

/** Exports a dataset in its published format, and verifies that it reads back equal. */
async function exportDataset(
  path: string,
  out: string,
  { name: to, write }: DatasetFormat,
  { from, json }: { from?: string; json: boolean },
  io: Io,
): Promise<void> {
  const name = from ?? detectFormat(path)
  const dataset = await loadDataset({ name, params: { path } }, io.folder, {
    cache: cacheFolder(io.env),
    progress: io.progress,
  })
  for (const notice of dataset.notices) io.err(notice)
  const text = write?.(dataset) ?? ''
  if (text.startsWith('[') && !/\.json(\.gz)?$/.test(out))
    throw new UserError({ file: out, message: `${to} is one JSON array; name the file *.json or *.json.gz` })
  writeText(out, text)
  const again = await loadDataset({ name: to, params: { path: out } }, io.folder)
  if (again.hash !== dataset.hash) throw new Error(`${out} does not read back equal to its source`)
  const counts = { documents: dataset.documents.length, queries: dataset.queries.length }
  if (json) io.json({ from: name, to: out, format: to, ...counts, hash: dataset.hash })
  else io.out(`${out}: ${counts.documents} documents, ${counts.queries} queries, read back equal`)
}

/** Exports a trial's rankings, or the labels of an experiment. */
async function exportExperiment(
  path: string,
  out: string,
  { trial, kind, to: wanted, json }: { trial?: string; kind?: string; to?: string; json: boolean },
  io: Io,
): Promise<void> {
  const to = wanted ?? formatOfPath(out)
  if (trial === undefined) {
    if (kind === 'run') throw new UserError({ file: path, message: 'holds several trials; say --trial NAME' })
    const qrels = await readKeptQrels(path)
    await formatNamed(to, 'writeQrels').writeQrels?.(out, qrels)
    if (json) io.json({ from: path, to: out, format: to, kind: 'qrels', queries: qrels.qrels.size })
    else io.out(`${out}: qrels of ${qrels.qrels.size} queries`)
    return
  }
  if (kind === 'qrels')
    throw new UserError('qrels belong to the whole experiment: leave out --trial or --kind qrels')
  const kept = await readKeptRun(path, trial)
  await formatNamed(to, 'writeRun').writeRun?.(out, { name: kept.trial, queries: kept.queries })
  const { exact } = kept
  const queries = kept.queries.size
  if (json) io.json({ from: path, to: out, format: to, kind: 'run', trial: kept.trial, queries, exact })
  else
    io.out(
      `${out}: stored rankings of ${queries} queries; measures to @${exact} are those of the leaderboard`,
    )
}

function isExperiment(path: string): boolean {
  return statSync(path).isDirectory() && (existsSync(join(path, 'summary.json')) || holdsDatasets(path))
}

function kindOf(path: string): FileKind {
  if (statSync(path).isDirectory()) return 'qrels'
  const kind = kindOfFile(path)
  if (kind) return kind
  throw new UserError({
    file: path,
    message: 'may be a run or qrels; say which with --kind run or --kind qrels',
  })
}

function formatOfPath(out: string): string {
  const bare = out.replace(/\.gz$/i, '').toLowerCase()
  const found = RUN_FORMATS.find(({ extension }) => bare.endsWith(extension))
  if (found) return found.name
  throw new UserError(
    `what format is \`${out}\`? Say --to ${RUN_FORMATS.map(({ name }) => name).join(', --to ')}`,
  )
}

/** Writes a program around a trial of a finished experiment into a new folder. */
async function exportProgram(
  path: string,
  out: string,
  { trial, json }: { readonly trial?: string | undefined; readonly json: boolean },
  io: Io,
): Promise<void> {
  if (trial === undefined)
    throw new UserError(
      'name the trial that the program retrieves with: --trial NAME (`touchstone recommend` names one)',
    )
  const written = await exportCode(path, trial, out)
  if (json) io.json({ from: path, to: out, format: 'code', ...written })
  else {
    const folder = shownPath(io.folder, out)
    io.out(
      `${folder}: ${written.files.join(', ')}, for ${written.trial}; test it with \`npx tsx --test ${folder}/retriever.test.mts\``,
    )
  }
}
