import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { graphExports } from '../../corpus/graph/exports/index.ts'
import { UserError } from '../../errors.ts'
import { exportCode } from '../../library/export-code.ts'
import { exportGraph, requireGraphOutput } from '../../library/export-graph.ts'
import { openConfig } from '../../library/open-config.ts'
import { recordingOf } from '../../models/completions/recorded.ts'
import { readKeptQrels, readKeptRun } from '../../results/kept-run.ts'
import {
  formatThatWrites,
  kindOfFile,
  RUN_FORMATS,
  readQrels,
  readRun,
  writeQrels,
  writeRun,
} from '../../runs/formats.ts'
import { FILE_KINDS, type FileKind } from '../../runs/types.ts'
import { NEW_FILE, requireOutputs, writeOutput } from '../../store/output.ts'
import { choice, defineCommand, output, text } from '../command.ts'
import { storedCompletions, usedCompletions } from '../completions.ts'
import type { Io } from '../io.ts'
import { configFile, hasConfig } from '../options.ts'

export default defineCommand({
  name: 'export',
  summary: 'write a run, qrels or a dataset in another format, a trial as a run, or completions to replay',
  args: {
    path: {
      value: 'PATH',
      summary:
        'run, qrels, BEIR folder (its qrels), experiment folder (with --trial, otherwise its qrels), config (its graph), or store (its completions)',
    },
  },
  options: {
    trial: text('NAME', 'write this trial of an experiment as a run, from its stored rankings (to rank 20)', {
      short: 't',
    }),
    kind: choice('KIND', FILE_KINDS, 'kind of the file, if it cannot be recognized'),
    to: text(
      'FORMAT',
      'format to write (default: by the ending of -o); graphrag or graphml for the graph of a config; code for a program around a trial; recording for the completions of language models in an experiment or a store',
    ),
    out: output('FILE', 'file to write, gzip if it ends in .gz; the new folder of a program or of a graph'),
  },
  examples: [
    'touchstone export bm25.trec -o bm25.parquet',
    'touchstone export datasets/quickstart --to trec -o quickstart.qrels',
    'touchstone export run.json --kind run --to trec -o run.trec.gz',
    'touchstone export experiments/quickstart --trial bm25 -o bm25.trec',
    'touchstone export experiments/quickstart --to trec -o gold.qrels',
    'touchstone export experiments/quickstart --trial bm25 --to code -o retriever',
    'touchstone export configs/quickstart.yaml --to graphrag -o graph',
    'touchstone export configs/quickstart.yaml --to graphml -o graph.graphml',
    'touchstone export configs/.touchstone --to recording -o completions.jsonl',
  ],
  async run({ args, options, io }) {
    if (options.out === undefined) throw new UserError('name the file to write: -o FILE')
    const path = io.path(args.path)
    const out = io.path(options.out)
    const { trial, to } = options
    if (to === 'code') return exportProgram(path, out, trial, io)
    const isGraph = to !== 'recording' && isConfig(path)
    if (isGraph) return exportGraphOf(args.path, out, to, io)
    requireOutputs([{ path: out, kind: NEW_FILE }])
    if (!existsSync(path)) throw new UserError('is not there', path)
    if (to === 'recording') return exportRecording(path, out, io)
    if (isExperiment(path)) return exportExperiment(path, out, options, io)
    if (trial !== undefined)
      throw new UserError('is not an experiment folder; --trial names a trial of one', path)
    const kind = options.kind ?? kindOf(path)
    const format = to ?? formatOfPath(out)
    formatThatWrites(kind, format)
    const { value, notices, read } = await (kind === 'run' ? readRun(path) : readQrels(path))
    if (read !== undefined) io.err(`${io.shown(path)}: ${read}`)
    for (const [what, count] of Object.entries(notices)) io.err(`${io.shown(path)}: ${what}: ${count}`)
    const isRun = 'queries' in value
    await (isRun ? writeRun(out, value, format) : writeQrels(out, value, format))
    const queries = isRun ? value.queries.size : value.qrels.size
    io.result(
      { from: path, to: out, format, kind, queries },
      `${io.shown(out)}: ${isRun ? 'rankings' : 'qrels'} of ${queries} queries`,
    )
  },
})

function isConfig(path: string): boolean {
  return /\.ya?ml$/i.test(path) || hasConfig(path)
}

async function exportGraphOf(config: string, out: string, to: string | undefined, io: Io): Promise<void> {
  const form = graphExports.find(({ name }) => name === to)
  if (!form)
    throw new UserError(
      `what of ${config} is exported? Its graph: --to ${graphExports.map(({ name }) => name).join(', --to ')}`,
    )
  requireGraphOutput(out, form)
  const open = await openConfig(io, configFile(io.folder, config), { set: [] })
  const { entities, relationships, notes } = await exportGraph(open, form, out, io.progress)
  for (const note of notes) io.err(`note: ${note}`)
  io.result(
    { from: config, to: out, format: form.name, entities, relationships, notes },
    `${io.shown(out)}: ${entities} entities, ${relationships} relationships`,
  )
}

function exportRecording(path: string, out: string, io: Io): void {
  const stored = isExperiment(path) ? usedCompletions(path) : storedCompletions(path)
  const { text, sha256, completions } = recordingOf(stored)
  writeOutput(out, text, NEW_FILE)
  io.result(
    { from: path, to: out, format: 'recording', completions, sha256 },
    `${io.shown(out)}: ${completions} completions, SHA-256 ${sha256}`,
  )
}

async function exportExperiment(
  path: string,
  out: string,
  { trial, kind, to }: { trial?: string; kind?: FileKind; to?: string },
  io: Io,
): Promise<void> {
  const format = to ?? formatOfPath(out)
  if (trial === undefined) {
    if (kind === 'run') throw new UserError('holds several trials; say --trial NAME', path)
    const labels = await readKeptQrels(path)
    await writeQrels(out, labels, format)
    const queries = labels.qrels.size
    io.result(
      { from: path, to: out, format, kind: 'qrels', queries },
      `${io.shown(out)}: qrels of ${queries} queries`,
    )
    return
  }
  if (kind === 'qrels')
    throw new UserError('qrels belong to the whole experiment: leave out --trial or --kind qrels')
  const { trial: name, queries, exact } = await readKeptRun(path, trial)
  await writeRun(out, { name, queries }, format)
  io.result(
    { from: path, to: out, format, kind: 'run', trial: name, queries: queries.size, exact },
    `${io.shown(out)}: stored rankings of ${queries.size} queries; measures to @${exact} are those of the leaderboard`,
  )
}

function isExperiment(path: string): boolean {
  return (
    statSync(path).isDirectory() && ['summary.json', 'plan.json'].some((file) => existsSync(join(path, file)))
  )
}

function kindOf(path: string): FileKind {
  if (statSync(path).isDirectory()) return 'qrels'
  const kind = kindOfFile(path)
  if (kind) return kind
  throw new UserError('may be a run or qrels; say which with --kind run or --kind qrels', path)
}

function formatOfPath(out: string): string {
  const bare = out.replace(/\.gz$/i, '').toLowerCase()
  const runFormat = RUN_FORMATS.find(({ extension }) => bare.endsWith(extension))
  if (runFormat) return runFormat.name
  throw new UserError(
    `what format is \`${out}\`? Say --to ${RUN_FORMATS.map(({ name }) => name).join(', --to ')}`,
  )
}

async function exportProgram(path: string, out: string, trial: string | undefined, io: Io): Promise<void> {
  if (trial === undefined)
    throw new UserError(
      'name the trial that the program retrieves with: --trial NAME (`touchstone recommend` names one)',
    )
  const written = await exportCode(path, trial, out)
  const folder = io.shown(out)
  io.result(
    { from: path, to: out, format: 'code', ...written },
    `${folder}: ${written.files.join(', ')}, for ${written.trial}; test it with \`npx tsx --test ${folder}/retriever.test.mts\``,
  )
}
