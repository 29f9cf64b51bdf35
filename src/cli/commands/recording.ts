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
import { type Column, terminalTable } from '../../report/table.ts'
import { datasetFolders } from '../../results/dataset-folders.ts'
import { readSummary } from '../../results/read.ts'
import { requireStore } from '../../store/marker.ts'
import { requireOutputs, writeOutput } from '../../store/output.ts'
import { defineCommand } from '../command.ts'

export const recording = defineCommand({
  args: {
    action: { value: 'ACTION', summary: 'action', choices: ['stats', 'verify', 'export', 'prune'] },
    store: {
      value: 'STORE',
      summary:
        'the folder of prepared tables and indexes (`.touchstone` next to a config), or a recording (`answers.jsonl`)',
    },
  },
  options: {
    model: { kind: 'text', value: 'NAME', summary: "only completions of this model, by the provider's name" },
    out: {
      kind: 'text',
      short: 'o',
      value: 'FILE',
      output: true,
      summary: 'export: the file of stored completions to write',
    },
    keep: {
      kind: 'list',
      value: 'EXPERIMENT',
      summary: 'prune: keep the completions of this experiment; may be repeated',
    },
    failed: { kind: 'flag', summary: 'prune: only requests that failed; the next run makes them again' },
    dryRun: { kind: 'flag', summary: 'prune: only show what would be removed' },
  },
  examples: [
    'touchstone recording stats configs/.touchstone',
    'touchstone recording export configs/.touchstone --out completions.jsonl',
    'touchstone recording prune configs/.touchstone --keep experiments/quickstart --dry-run',
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
    const wanted = found.filter(({ stored }) => isOf(stored, options.model))
    if (action === 'verify') {
      if (altered.length > 0) throw new UserError(altered)
      const said = { completions: wanted.length, altered: 0 }
      if (options.json) io.json(said)
      else io.out(`${wanted.length} completions, all as they were written`)
      return
    }
    if (action === 'stats') {
      const rows = tally(wanted.map(({ stored }) => stored))
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
      const { text, sha256, completions } = recordingOf(wanted.map(({ stored }) => stored))
      requireCompletionsIn(file, new Set(wanted.map(({ stored }) => stored.key)))
      writeOutput(file, text, RECORDING)
      if (options.json) io.json({ file: options.out, completions, bytes: Buffer.byteLength(text), sha256 })
      else io.out(`${completions} completions in ${options.out}, SHA-256 ${sha256}`)
      return
    }
    requireStore(source)
    if (options.keep.length === 0 && options.model === undefined && !options.failed)
      throw new UserError(
        'say which experiments to keep (--keep EXPERIMENT), or what to remove (--model NAME, --failed)',
      )
    const kept = new Set(options.keep.flatMap((experiment) => usedBy(resolve(io.folder, experiment))))
    const going = wanted
      .filter(({ stored }) => !kept.has(stored.key))
      .filter(({ stored }) => !options.failed || stored.completion.finish === 'failed')
      .map(({ file }) => file)
    const broken = altered.flatMap(({ file }) => file ?? [])
    if (!options.dryRun) for (const file of [...going, ...broken]) rmSync(file, { force: true })
    const said = { removed: going.length, altered: broken.length, dryRun: options.dryRun }
    if (options.json) io.json(said)
    else
      io.out(
        `${going.length} completions and ${broken.length} altered files ${options.dryRun ? 'would be removed' : 'removed'}`,
      )
  },
})

interface Found {
  readonly file: string
  readonly stored: StoredCompletion
}

/** Completions of a store or a recording, with diagnostics of the files that cannot be read. */
function readAll(source: string): {
  readonly found: readonly Found[]
  readonly altered: readonly Diagnostic[]
} {
  if (!existsSync(source)) throw new UserError({ file: source, message: 'there is no such file or folder' })
  if (statSync(source).isFile())
    return {
      found: [...readCompletionRecording(source).values()].map((stored) => ({ file: source, stored })),
      altered: [],
    }
  const found: Found[] = []
  const altered: Diagnostic[] = []
  for (const file of completionFiles(source)) {
    try {
      found.push({ file, stored: readCompletion(file) })
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      altered.push(...error.diagnostics)
    }
  }
  return { found, altered }
}

/** Keys of the completions that an experiment read. Throws a UserError if it is not finished. */
function usedBy(experiment: string): string[] {
  const folders = datasetFolders(experiment)?.map((name) => join(experiment, name)) ?? [experiment]
  return folders.flatMap((folder) => {
    readSummary(folder)
    const file = join(folder, 'answers.jsonl')
    return existsSync(file) ? [...readCompletionRecording(file).keys()] : []
  })
}

const count = (head: string, of: (row: Tally) => number): Column<Tally> => ({
  head,
  text: (row) => of(row).toLocaleString('en'),
})
const COLUMNS: readonly Column<Tally>[] = [
  { head: 'provider', left: true, text: ({ provider }) => provider },
  { head: 'model', left: true, text: ({ model }) => model },
  count('completions', ({ completions }) => completions),
  count('refusals', ({ refusals }) => refusals),
  count('failed', ({ failed }) => failed),
  count('cut', ({ cut }) => cut),
  count('estimated', ({ estimated }) => estimated),
  count('tokens read', ({ inputTokens }) => inputTokens),
  count('of these cached', ({ cachedInputTokens }) => cachedInputTokens),
  count('written', ({ outputTokens }) => outputTokens),
  count('of these reasoning', ({ reasoningTokens }) => reasoningTokens),
]

function statsInWords(rows: readonly Tally[], altered: number): string {
  const body = rows.length === 0 ? 'no completions' : terminalTable(rows, COLUMNS)
  return altered === 0
    ? body
    : `${body}\n${altered} files were altered: \`touchstone recording verify\` names them`
}
