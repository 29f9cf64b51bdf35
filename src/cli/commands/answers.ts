import { existsSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Diagnostic, UserError } from '../../errors.ts'
import {
  RECORDING,
  readCompletionRecording,
  recordingOf,
  requireCompletionsIn,
} from '../../models/completions/recording.ts'
import type { StoredCompletion } from '../../models/completions/request.ts'
import { completionFiles, readCompletion } from '../../models/completions/store.ts'
import { isOf, type Tally, tally } from '../../models/completions/tally.ts'
import { terminalTable } from '../../report/terminal.ts'
import { datasetFolders } from '../../results/dataset-folders.ts'
import { readSummary } from '../../results/read.ts'
import { requireStore } from '../../store/marker.ts'
import { requireOutputs, writeOutput } from '../../store/output.ts'
import { defineCommand } from '../command.ts'

export const answers = defineCommand({
  name: 'answers',
  summary: 'count, verify, export or prune the answers of models that a store keeps',
  args: {
    action: { value: 'ACTION', summary: 'what to do', choices: ['stats', 'verify', 'export', 'prune'] },
    store: {
      value: 'STORE',
      summary:
        'the folder of prepared tables and indexes (`.touchstone` beside a config), or a file of recorded answers',
    },
  },
  options: {
    model: {
      kind: 'text',
      value: 'NAME',
      summary: "only answers of this model, by the provider's name of it",
    },
    out: {
      kind: 'text',
      short: 'o',
      value: 'FILE',
      output: true,
      summary: 'export: the file of recorded answers to write',
    },
    keep: {
      kind: 'list',
      value: 'EXPERIMENT',
      summary: 'prune: keep the answers of this experiment; may be repeated',
    },
    failed: {
      kind: 'flag',
      summary: 'prune: only requests that failed; the next run makes them again',
    },
    dryRun: { kind: 'flag', summary: 'prune: only show what would be removed' },
  },
  examples: [
    'touchstone answers stats configs/.touchstone',
    'touchstone answers export configs/.touchstone --out answers.jsonl',
    'touchstone answers prune configs/.touchstone --keep experiments/quickstart --dry-run',
  ],
  async run({ args, options, io }) {
    const { action } = args
    const source = resolve(io.folder, args.store)
    const refuse = (given: boolean, option: string, only: string) => {
      if (given && action !== only)
        throw new UserError(`--${option} goes with \`${only}\`, not with \`${action}\``)
    }
    refuse(options.out !== undefined, 'out', 'export')
    refuse(options.keep.length > 0, 'keep', 'prune')
    refuse(options.failed, 'failed', 'prune')
    refuse(options.dryRun, 'dry-run', 'prune')
    const { found, altered } = readAll(source)
    const wanted = found.filter(({ answered }) => isOf(answered, options.model))
    if (action === 'verify') {
      if (altered.length > 0) throw new UserError(altered)
      const said = { answers: wanted.length, altered: 0 }
      if (options.json) io.json(said)
      else io.out(`${wanted.length} answers, all as they were written`)
      return
    }
    if (action === 'stats') {
      const rows = tally(wanted.map(({ answered }) => answered))
      if (options.json) io.json({ models: rows, altered: altered.length })
      else io.out(statsInWords(rows, altered.length))
      return
    }
    if (action === 'export') {
      // Altered completions are neither exported nor silently left out.
      if (altered.length > 0) throw new UserError(altered)
      if (options.out === undefined) throw new UserError('export needs --out FILE')
      const file = resolve(io.folder, options.out)
      requireOutputs([{ path: file, kind: RECORDING }])
      const { text, sha256, completions: answers } = recordingOf(wanted.map(({ answered }) => answered))
      requireCompletionsIn(file, new Set(wanted.map(({ answered }) => answered.key)))
      writeOutput(file, text, RECORDING)
      if (options.json) io.json({ file: options.out, answers, bytes: Buffer.byteLength(text), sha256 })
      else io.out(`${answers} answers in ${options.out}, SHA-256 ${sha256}`)
      return
    }
    requireStore(source)
    if (options.keep.length === 0 && options.model === undefined && !options.failed)
      throw new UserError(
        'say which experiments to keep (--keep EXPERIMENT), or what to remove (--model NAME, --failed)',
      )
    const kept = new Set(options.keep.flatMap((experiment) => usedBy(resolve(io.folder, experiment))))
    const going = wanted
      .filter(({ answered }) => !kept.has(answered.key))
      .filter(({ answered }) => !options.failed || answered.completion.finish === 'failed')
      .map(({ file }) => file)
    const broken = altered.flatMap(({ file }) => file ?? [])
    if (!options.dryRun) for (const file of [...going, ...broken]) rmSync(file, { force: true })
    const said = { removed: going.length, altered: broken.length, dryRun: options.dryRun }
    if (options.json) io.json(said)
    else
      io.out(
        `${going.length} answers and ${broken.length} altered files ${options.dryRun ? 'would be removed' : 'removed'}`,
      )
  },
})

interface Found {
  readonly file: string
  readonly answered: StoredCompletion
}

/** Completions of a store or a recording, with diagnostics of the files that cannot be read. */
function readAll(source: string): {
  readonly found: readonly Found[]
  readonly altered: readonly Diagnostic[]
} {
  if (!existsSync(source)) throw new UserError({ file: source, message: 'there is no such file or folder' })
  if (statSync(source).isFile())
    return {
      found: [...readCompletionRecording(source).values()].map((answered) => ({ file: source, answered })),
      altered: [],
    }
  const found: Found[] = []
  const altered: Diagnostic[] = []
  for (const file of completionFiles(source)) {
    try {
      found.push({ file, answered: readCompletion(file) })
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      altered.push(...error.diagnostics)
    }
  }
  return { found, altered }
}

/** Keys of the completions that an experiment read. Throws a UserError if it is not finished. */
function usedBy(experiment: string): string[] {
  const folders = datasetFolders(experiment)?.map((own) => join(experiment, own)) ?? [experiment]
  return folders.flatMap((folder) => {
    readSummary(folder)
    const file = join(folder, 'answers.jsonl')
    return existsSync(file) ? [...readCompletionRecording(file).keys()] : []
  })
}

function statsInWords(rows: readonly Tally[], altered: number): string {
  const head = ['provider', 'model', 'completions', 'refusals', 'failed', 'cut', 'estimated']
  head.push('tokens read', 'of these cached', 'written', 'of these reasoning')
  const lines = rows.map(({ provider, model, ...numbers }) => [
    provider,
    model,
    ...Object.values(numbers).map((number) => number.toLocaleString('en')),
  ])
  const body =
    rows.length === 0
      ? 'no answers'
      : terminalTable([head, ...lines], { right: [2, 3, 4, 5, 6, 7, 8, 9, 10] })
  return altered === 0
    ? body
    : `${body}\n${altered} files were altered: \`touchstone answers verify\` names them`
}
