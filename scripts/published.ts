import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Summary } from '../src/results/summary.ts'
import { writePublishedRuns, writeWithSummaries } from './published-data.ts'
import {
  comparedSentence,
  expectedFile,
  expectedOf,
  folderOf,
  type Measured,
  type MeasuredCommands,
  publishedPage,
  readSources,
  rowsOf,
  type Source,
  scoresOf,
  wordsOf,
} from './published-rows.ts'

/**
 * `npm run published`: runs the commands of published/*.yaml whose data are at hand, and prints each row's printed value and ours.
 * Names choose a source or a command (`2wiki`, `beir-bm25/scifact-bm25`); a source that needs a network runs only if it is named,
 * and is judged by `gate --expected`. `--write` stores the values and writes docs/evidence/published.md and the expected scores.
 */
const root = join(import.meta.dirname, '..')
const store = join(root, 'docs', 'evidence', 'published.json')
const shared = process.env.TOUCHSTONE_SHARED
if (!shared) throw new Error('TOUCHSTONE_SHARED names no folder')
const { values: options, positionals: names } = parseArgs({
  options: { write: { type: 'boolean', default: false } },
  allowPositionals: true,
})

/** Runs touchstone in the root and returns its output. Throws an Error if it fails. */
function touchstone(...words: readonly string[]): string {
  const { status, stdout } = spawnSync(process.execPath, ['bin/touchstone.js', ...words], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`touchstone ${words.join(' ')} ended with ${status}\n${stdout}`)
  return stdout
}

function measure(source: Source, command: string): Measured {
  const words = wordsOf(source, command, shared as string)
  const out = touchstone(...words)
  if (words[0] === 'score') return { values: { '': scoresOf(JSON.parse(out)) } }
  const folder = folderOf(source.commands[command])
  if (source.needs) touchstone('gate', folder, '--expected', expectedFile(command))
  const summary: Summary = JSON.parse(readFileSync(join(root, folder, 'summary.json'), 'utf8'))
  const printed = rowsOf(source, command)
  const values = Object.fromEntries(
    summary.trials
      .filter(({ name }) => printed.some(({ trial }) => trial === name))
      .map(({ name, measures }) => [
        name,
        Object.fromEntries(
          Object.entries(measures).map(([label, { mean, low, high }]) => [label, [mean, low, high] as const]),
        ),
      ]),
  )
  return source.compare === command ? { values, comparison: sentences(summary) } : { values }
}

function sentences({ trials, comparison }: Summary): string[] {
  const nameOf = (id: string) => trials.find((trial) => trial.id === id)?.name ?? id
  return (comparison?.rows ?? []).map((row) =>
    comparedSentence(nameOf(row.id), nameOf(row.baseline ?? ''), row),
  )
}

/** Writes the stored values, the page and the expected scores. */
function write(values: MeasuredCommands): void {
  const ordered = Object.fromEntries(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)))
  writeFileSync(store, `${JSON.stringify(ordered)}\n`)
  writeFileSync(join(root, 'docs', 'evidence', 'published.md'), publishedPage(sources, ordered))
  for (const source of sources.filter(({ needs }) => needs))
    for (const [command, text] of Object.entries(expectedOf(source))) {
      const file = join(root, expectedFile(command))
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
}

const sources = readSources(join(root, 'published'))
let measured: MeasuredCommands = existsSync(store) ? JSON.parse(readFileSync(store, 'utf8')) : {}
const chosen = sources.flatMap((source) =>
  Object.keys(source.commands)
    .map((command) => ({ source, command, name: `${source.key}/${command}` }))
    .filter(({ name }) =>
      names.length === 0
        ? !source.needs
        : names.some((requested) => requested === source.key || requested === name),
    ),
)
const unknown = names.filter(
  (requested) => !chosen.some(({ source, name }) => [source.key, name].includes(requested)),
)
if (unknown.length > 0) throw new Error(`no source or command is called ${unknown.join(', ')}`)
writePublishedRuns(shared, join(root, 'experiments', 'published', 'runs'))
writeWithSummaries(shared, join(root, 'experiments', 'published', 'claude-docs-summaries'))
for (const { source, command, name } of chosen) {
  const begin = performance.now()
  const result = measure(source, command)
  const seconds = (performance.now() - begin) / 1000
  measured = { ...measured, [name]: result }
  if (options.write) write(measured)
  console.log(`${name} (${seconds.toFixed(1)} s)`)
  for (const { name: system, printed, trial = '', measure: label } of rowsOf(source, command))
    console.log(`  ${system}, ${label}: printed ${printed}, ours ${result.values[trial]?.[label]?.[0]}`)
}
