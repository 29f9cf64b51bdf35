import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { graphExports } from '../../corpus/graph/exports/index.ts'
import { UserError } from '../../errors.ts'
import { exportCode } from '../../library/export-code.ts'
import { exportGraph, requireGraphOutput } from '../../library/export-graph.ts'
import { openConfig } from '../../library/open-config.ts'
import { recordingOf } from '../../models/completions/recording.ts'
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
import { FILE_KINDS, type FileKind, type SkippedCounts } from '../../runs/types.ts'
import { NEW_FILE, requireOutputs, writeOutput } from '../../store/output.ts'
import { shownPath } from '../../text/printable.ts'
import { defineCommand } from '../command.ts'
import { storedCompletions, usedCompletions } from '../completions.ts'
import { configFile, hasConfig } from '../config-file.ts'
import type { Io } from '../io.ts'

export const exportCommand = defineCommand({
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
    to: {
      kind: 'text',
      value: 'FORMAT',
      summary:
        'format to write (default: by the ending of -o); graphrag or graphml for the graph of a config; code for a program around a trial; recording for the completions of language models in an experiment or a store',
    },
    out: {
      kind: 'text',
      short: 'o',
      value: 'FILE',
      output: true,
      summary: 'file to write, gzip if it ends in .gz; the new folder of a program or of a graph',
    },
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
    const path = resolve(io.folder, args.path)
    const out = resolve(io.folder, options.out)
    if (options.to === 'code') return exportProgram(path, out, options, io)
    if (options.to === 'recording') return exportRecording(path, out, options, io)
    if (isConfig(path)) return exportGraphOf(args.path, out, options, io)
    requireOutputs([{ path: out, kind: NEW_FILE }])
    if (!existsSync(path)) throw new UserError({ file: path, message: 'is not there' })
    if (isExperiment(path)) return exportExperiment(path, out, options, io)
    if (options.trial !== undefined)
      throw new UserError({
        file: path,
        message: 'is not an experiment folder; --trial names a trial of one',
      })
    const kind = (options.kind as FileKind | undefined) ?? kindOf(path)
    const to = options.to ?? formatOfPath(out)
    const tell = (notices: SkippedCounts, read?: string) => {
      if (read !== undefined) io.err(`${path}: ${read}`)
      for (const [what, count] of Object.entries(notices)) io.err(`${path}: ${what}: ${count}`)
    }
    formatThatWrites(kind, to)
    let queries: number
    if (kind === 'run') {
      const { value, notices, read } = await readRun(path)
      tell(notices, read)
      await writeRun(out, value, to)
      queries = value.queries.size
    } else {
      const { value, notices, read } = await readQrels(path)
      tell(notices, read)
      await writeQrels(out, value, to)
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
  { to, json }: { to?: string; json: boolean },
  io: Io,
): Promise<void> {
  const form = graphExports.find(({ name }) => name === to)
  if (!form)
    throw new UserError(
      `what of ${config} is exported? Its graph: --to ${graphExports.map(({ name }) => name).join(', --to ')}`,
    )
  requireGraphOutput(out, form)
  const open = await openConfig(io, configFile(io.folder, config), { set: [] })
  const { entities, relationships, notes } = await exportGraph(open, form, out, io.progress)
  for (const note of notes) io.err(`note: ${note}`)
  if (json) io.json({ from: config, to: out, format: form.name, entities, relationships, notes })
  else io.out(`${out}: ${entities} entities, ${relationships} relationships`)
}

/** Writes the completions that an experiment used, or all of a store, into one file. */
function exportRecording(path: string, out: string, { json }: { json: boolean }, io: Io): void {
  requireOutputs([{ path: out, kind: NEW_FILE }])
  if (!existsSync(path)) throw new UserError({ file: path, message: 'is not there' })
  const found = isExperiment(path) ? usedCompletions(path) : storedCompletions(path)
  const { text, sha256, completions } = recordingOf(found)
  writeOutput(out, text, NEW_FILE)
  if (json) io.json({ from: path, to: out, format: 'recording', completions, sha256 })
  else io.out(`${out}: ${completions} completions, SHA-256 ${sha256}`)
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
    await writeQrels(out, qrels, to)
    if (json) io.json({ from: path, to: out, format: to, kind: 'qrels', queries: qrels.qrels.size })
    else io.out(`${out}: qrels of ${qrels.qrels.size} queries`)
    return
  }
  if (kind === 'qrels')
    throw new UserError('qrels belong to the whole experiment: leave out --trial or --kind qrels')
  const kept = await readKeptRun(path, trial)
  await writeRun(out, { name: kept.trial, queries: kept.queries }, to)
  const { exact } = kept
  const queries = kept.queries.size
  if (json) io.json({ from: path, to: out, format: to, kind: 'run', trial: kept.trial, queries, exact })
  else
    io.out(
      `${out}: stored rankings of ${queries} queries; measures to @${exact} are those of the leaderboard`,
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
