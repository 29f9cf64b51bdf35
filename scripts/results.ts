import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expectedText, meansOf } from '../src/results/expected.ts'
import type { Summary } from '../src/results/summary.ts'
import { blockOf, percent, signed, table, writeBlocks } from './pages.ts'
import { alphaCosts, disagreements, losses, MOST_LOST, resolution, TUNED } from './sentences.ts'

/**
 * Measures the strategies of configs/variants.yaml with their defaults, and every norm, on the shared sets with two embedders, and writes the tables of
 * docs/evidence/results.md, and the expected scores of the defaults. Runs resume; what is finished is only read.
 *
 *     TOUCHSTONE_SHARED=path/to/shared npm run results
 *     TOUCHSTONE_SHARED=path/to/shared npm run results -- bge-small    # tables of this embedder alone; others stay
 *     TOUCHSTONE_SHARED=path/to/shared npm run results -- choose       # the first choice alone
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const shared = process.env.TOUCHSTONE_SHARED
if (!shared) throw new Error('TOUCHSTONE_SHARED names no folder')
const MODELS = { MiniLM: 'all-MiniLM-L6-v2', 'bge-small': 'bge-small-en-v1.5' }
type Embedder = keyof typeof MODELS
const EMBEDDERS = Object.keys(MODELS) as Embedder[]

/** The graph of musique is of stored triples, embedded as its passages are; the others' come from `rules` and `titles`. */
const HEADINGS: Readonly<Record<string, string>> = {
  'musique-train-100': 'musique',
  'hotpotqa-train-100': 'hotpotqa',
  '2wiki-101': '2wiki',
  'claude-docs-100': 'claude-docs',
  'xquad-en': 'xquad-en',
}
const SETS = Object.keys(HEADINGS)
/** Sets of the first choice. */
const FEW = ['musique-train-100', 'hotpotqa-train-100', 'claude-docs-100']

type Row = Summary['trials'][number]

function measure(config: string, set: string, embedder: Embedder, more: readonly string[] = []): Summary {
  const name = `${config}-${set}${embedder === 'MiniLM' ? '' : `-${embedder}`}`
  const folder = join('experiments', name)
  const model = `prepare.embedder={transformers: {model: ${join(shared as string, 'models', MODELS[embedder])}}}`
  const settings = [`dataset=${join(shared as string, 'data', set)}`, model, ...more].flatMap((setting) => [
    '--set',
    setting,
  ])
  const command = ['bin/touchstone.js', 'run', `configs/${config}.yaml`, '-o', folder, ...settings]
  const report = ['--report', join('reports', `${name}.html`)]
  const { status } = spawnSync(process.execPath, [...command, ...report], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`${name} ended with ${status}`)
  return JSON.parse(readFileSync(join(root, folder, 'summary.json'), 'utf8'))
}

function graphOf(set: string): string[] {
  if (!set.startsWith('musique')) return ['prepare.graphEmbedder=lsa']
  return [`prepare.graph={openie: {path: ${join(shared as string, 'data', set, 'openie.jsonl')}}}`]
}

const requested = process.argv.slice(2)
const isMeasured = (name: string) => requested.length === 0 || requested.includes(name)

const code = (name: string) => `\`${name}\``
const recall = (trial: Row) => trial.measures['recall@5'].mean ?? 0
const named = ({ trials }: Summary, name: string) => {
  const trial = trials.find((candidate) => candidate.name === name)
  if (!trial) throw new Error(`there is no trial ${name}`)
  return trial
}
const headingsOf = (summaries: readonly Summary[]) =>
  summaries.map(({ datasets }) => HEADINGS[datasets[0].name])
const namesOf = ([{ trials }]: readonly Summary[]) => trials.map(({ name }) => name)

function interval({ mean, low, high }: Row['measures'][string]): string {
  return low === null || high === null
    ? percent(mean)
    : `${percent(mean)} [${percent(low, 0)}, ${percent(high, 0)}]`
}

const MARKS: Readonly<Record<string, string>> = { better: ' ▲', worse: ' ▼' }

/** Rows of each set, and the largest loss of recall@5 to the best row of a set. */
function measured(defaults: readonly Summary[]): string {
  const names = namesOf(defaults)
  const best = defaults.map((summary) => Math.max(...names.map((name) => recall(named(summary, name)))))
  return table(
    ['', ...headingsOf(defaults), MOST_LOST],
    names.map((name) => [
      code(name),
      ...defaults.map((summary) => {
        const trial = named(summary, name)
        const verdict = summary.comparison?.rows.find(({ id }) => id === trial.id)?.verdict
        const full = percent(trial.measures['full_recall@5'].mean, 0)
        return `${interval(trial.measures['recall@5'])} / ${full}${MARKS[verdict ?? ''] ?? ''}`
      }),
      percent(Math.max(...defaults.map((summary, set) => best[set] - recall(named(summary, name))))),
    ]),
  )
}

function differences(defaults: readonly Summary[]): string {
  return table(
    ['minus `naive`', ...headingsOf(defaults)],
    namesOf(defaults)
      .filter((name) => name !== 'naive')
      .map((name) => [
        code(name),
        ...defaults.map((summary) => {
          const { id } = named(summary, name)
          const row = summary.comparison?.rows.find((candidate) => candidate.id === id)
          if (!row) return ''
          return row.low === null
            ? signed(row.difference)
            : `${signed(row.difference)} [${signed(row.low)}, ${signed(row.high)}]`
        }),
      ]),
  )
}

/** Means of each fusion, and of `hybrid` with the params that were best on the other folds. */
function norms(fusions: readonly Summary[]): string {
  const tuned = fusions.map((summary) => {
    const row = summary.tuned.find(({ name }) => name === 'hybrid')
    return percent(row?.measures['recall@5'].mean ?? null)
  })
  return table(
    ['', ...headingsOf(fusions)],
    [
      ...namesOf(fusions).map((name) => [
        code(name),
        ...fusions.map((summary) => percent(recall(named(summary, name)))),
      ]),
      [code(TUNED), ...tuned],
    ],
  )
}

const write = (page: string, blocks: Readonly<Record<string, string>>) =>
  writeBlocks(join(root, page), blocks)

/** recall@5 of each set with each embedder, marked where the test tells it from `naive`. */
function choice(): string {
  const columns = FEW.flatMap((set) =>
    EMBEDDERS.map((embedder) => ({
      head: `${HEADINGS[set]}: ${embedder}`,
      summary: measure('choose', set, embedder),
    })),
  )
  return table(
    ['', ...columns.map(({ head }) => head)],
    namesOf(columns.map(({ summary }) => summary)).map((name) => [
      code(name),
      ...columns.map(({ summary }) => {
        const trial = named(summary, name)
        const verdict = summary.comparison?.rows.find(({ id }) => id === trial.id)?.verdict
        return `${percent(recall(trial))}${MARKS[verdict ?? ''] ?? ''}`
      }),
    ]),
  )
}

/** Tables of docs/evidence/results.md for one embedder. */
function tablesOf(embedder: Embedder): Record<string, string> {
  const fusions = SETS.map((set) => measure('fusion-grid', set, embedder))
  const defaults = SETS.map((set) => measure('variants', set, embedder, graphOf(set)))
  if (embedder === 'MiniLM') writeExpected(defaults)
  const tables = {
    measured: measured(defaults),
    ...(embedder === 'MiniLM' ? { differences: differences(defaults) } : {}),
    norms: norms(fusions),
  }
  const suffix = embedder === 'MiniLM' ? '' : ` ${embedder}`
  return Object.fromEntries(Object.entries(tables).map(([name, content]) => [`${name}${suffix}`, content]))
}

/** Beyond what processors were found to differ by: docs/evidence/results.md, "On another processor". */
const TOLERANCE = 0.03
function writeExpected(defaults: readonly Summary[]): void {
  defaults.forEach((summary, set) => {
    const file = join(root, 'configs', 'expected', `variants-${SETS[set]}.json`)
    writeFileSync(file, expectedText(meansOf(summary), TOLERANCE))
  })
}

const page = 'docs/evidence/results.md'
for (const embedder of EMBEDDERS) if (isMeasured(embedder)) write(page, tablesOf(embedder))

if (isMeasured('choose')) write(page, { choice: choice() })

// Sentences follow from the tables, measured now or before.
const block = (name: string) => blockOf(readFileSync(join(root, page), 'utf8'), name)
const paired = block('differences')
write(page, {
  resolution: resolution(paired),
  disagreements: disagreements(block('measured'), block('measured bge-small')),
  alphas: alphaCosts([
    { name: 'MiniLM', norms: block('norms') },
    { name: 'bge-small', norms: block('norms bge-small') },
  ]),
})
const lossesWith = (link: string) =>
  losses(block('measured'), block('measured bge-small'), block('choice'), link)
write('README.md', { losses: lossesWith('docs/evidence/results.md') })
write('docs/strategies.md', { losses: lossesWith('evidence/results.md') })
