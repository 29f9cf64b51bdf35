import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expectedText, meansOf } from '../src/results/expected.ts'
import type { Summary } from '../src/results/summary.ts'
import { mixBesideNaive, resolution } from './sentences.ts'

/**
 * Measures every strategy with its defaults, and every norm, on the shared sets, and writes the tables of
 * docs/evidence/results.md, and the expected scores of the defaults. Runs resume; what is finished is only read.
 *
 *     TOUCHSTONE_SHARED=path/to/shared npm run results
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const shared = process.env.TOUCHSTONE_SHARED
if (!shared) throw new Error('TOUCHSTONE_SHARED names no folder')
const MODEL = `prepare.embedder={transformers: {model: ${join(shared, 'models', 'all-MiniLM-L6-v2')}}}`

/** The graph of musique is of stored triples, embedded as its passages are; the others' come from `rules` and `titles`. */
const SETS = ['musique-train-100', 'hotpotqa-train-100', '2wiki-101', 'claude-docs-100', 'xquad-en']
const HEADINGS = ['musique', 'hotpotqa', '2wiki', 'claude-docs', 'xquad-en']

type Row = Summary['trials'][number]

function measure(config: string, set: string, more: readonly string[]): Summary {
  const folder = join('experiments', `${config}-${set}`)
  const settings = [`dataset=${join(shared as string, 'data', set)}`, MODEL, ...more].flatMap((one) => [
    '--set',
    one,
  ])
  const command = ['bin/touchstone.js', 'run', `configs/${config}.yaml`, '-o', folder, ...settings]
  const report = ['--report', join('reports', `${config}-${set}.html`)]
  const { status } = spawnSync(process.execPath, [...command, ...report], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`${config} on ${set} ended with ${status}`)
  return JSON.parse(readFileSync(join(root, folder, 'summary.json'), 'utf8'))
}

function graphOf(set: string): string[] {
  if (!set.startsWith('musique')) return ['prepare.graphEmbedder=lsa']
  return [`prepare.graph={openie: {path: ${join(shared as string, 'data', set, 'openie.jsonl')}}}`]
}

const fusions = SETS.map((set) => measure('fusion-grid', set, []))
const defaults = SETS.map((set) => measure('variants', set, graphOf(set)))

const percent = (value: number | null, digits = 1) => (100 * (value ?? 0)).toFixed(digits)
const signed = (value: number | null) => `${(value ?? 0) < 0 ? '−' : '+'}${percent(Math.abs(value ?? 0))}`

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [line(head), line(head.map(() => '---')).replaceAll(' ', ''), ...rows.map(line)].join('\n')

const code = (name: string) => `\`${name}\``
const recall = (trial: Row) => trial.measures['recall@5'].mean ?? 0
const named = ({ trials }: Summary, name: string) => {
  const trial = trials.find((one) => one.name === name)
  if (!trial) throw new Error(`there is no trial ${name}`)
  return trial
}
const namesOf = ([{ trials }]: readonly Summary[]) => trials.map(({ name }) => name)

/** What each row loses to the best row of each column, the least worst loss first. */
function regrets(summaries: readonly Summary[], names: readonly string[]): string {
  const best = summaries.map((summary) => Math.max(...names.map((name) => recall(named(summary, name)))))
  const lost = names.map((name) => {
    const own = summaries.map((summary, set) => best[set] - recall(named(summary, name)))
    return { name, own, worst: Math.max(...own) }
  })
  lost.sort((a, b) => a.worst - b.worst)
  return table(
    ['', ...HEADINGS, 'worst'],
    [
      ...lost.map(({ name, own, worst }) => [code(name), ...[...own, worst].map((value) => percent(value))]),
      ['best, recall@5', ...best.map((value) => percent(value)), ''],
    ],
  )
}

function interval({ mean, low, high }: Row['measures'][string]): string {
  return low === null || high === null
    ? percent(mean)
    : `${percent(mean)} [${percent(low, 0)}, ${percent(high, 0)}]`
}

const MARKS: Readonly<Record<string, string>> = { better: ' ▲', worse: ' ▼' }

function measured(): string {
  return table(
    ['', ...HEADINGS],
    namesOf(defaults).map((name) => [
      code(name),
      ...defaults.map((summary) => {
        const trial = named(summary, name)
        const verdict = summary.comparison?.rows.find(({ id }) => id === trial.id)?.verdict
        const full = percent(trial.measures['full_recall@5'].mean, 0)
        return `${interval(trial.measures['recall@5'])} / ${full}${MARKS[verdict ?? ''] ?? ''}`
      }),
    ]),
  )
}

function differences(): string {
  return table(
    ['minus `naive`', ...HEADINGS],
    namesOf(defaults)
      .filter((name) => name !== 'naive')
      .map((name) => [
        code(name),
        ...defaults.map((summary) => {
          const { id } = named(summary, name)
          const row = summary.comparison?.rows.find((one) => one.id === id)
          return row ? `${signed(row.difference)} [${signed(row.low)}, ${signed(row.high)}]` : ''
        }),
      ]),
  )
}

function norms(): string {
  return table(
    ['', ...HEADINGS],
    namesOf(fusions).map((name) => [
      code(name),
      ...fusions.map((summary) => interval(named(summary, name).measures['recall@5'])),
    ]),
  )
}

function tuned(): string {
  return table(
    ['chosen on other folds', ...HEADINGS],
    fusions[0].tuned.map(({ name }) => [
      code(name),
      ...fusions.map((summary) => {
        const row = summary.tuned.find((one) => one.name === name)
        return row ? interval(row.measures['recall@5']) : ''
      }),
    ]),
  )
}

const firsts = () => {
  const names = ['naive', 'bm25', 'hybrid', 'title-ppr']
  const cell = (trial: Row) =>
    ['recall@1', 'recall@10'].map((name) => percent(trial.measures[name].mean)).join(' / ')
  return table(
    ['recall@1 / recall@10', ...HEADINGS],
    names.map((name) => [code(name), ...defaults.map((summary) => cell(named(summary, name)))]),
  )
}

function write(page: string, tables: Readonly<Record<string, string>>): void {
  const file = join(root, page)
  let text = readFileSync(file, 'utf8')
  for (const [name, content] of Object.entries(tables)) {
    const between = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`)
    if (!between.test(text)) throw new Error(`${page} has no place for ${name}`)
    text = text.replace(between, (_, begin: string, end: string) => `${begin}\n${content}\n\n${end}`)
  }
  writeFileSync(file, text)
}

const paired = differences()
write('docs/evidence/results.md', {
  resolution: resolution(paired),
  regrets: regrets(defaults, namesOf(defaults)),
  measured: measured(),
  differences: paired,
  firsts: firsts(),
  norms: norms(),
  'norm regrets': regrets(
    fusions,
    namesOf(fusions).filter((name) => name !== 'title-ppr'),
  ),
  tuned: tuned(),
})

write('docs/strategies/lightrag.md', {
  mix: `**Helps**, by design, with questions about relations. Measured, ${mixBesideNaive(paired)}.`,
})

/** Beyond what processors were found to differ by: docs/evidence/results.md, "On another processor". */
const TOLERANCE = 0.03
defaults.forEach((summary, set) => {
  const file = join(root, 'configs', 'expected', `variants-${SETS[set]}.json`)
  writeFileSync(file, expectedText(meansOf(summary), TOLERANCE))
})
