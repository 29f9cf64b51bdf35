import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Summary } from '../src/results/summary.ts'
import { percent, signed, table, writeBlocks } from './pages.ts'

/**
 * Runs configs/memory.yaml on LoCoMo by turn and by session with MiniLM, and writes the tables of docs/evidence/memory.md. Runs
 * resume; what is finished is only read.
 *
 *     TOUCHSTONE_SHARED=path/to/shared npm run memory
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const shared = process.env.TOUCHSTONE_SHARED
if (!shared) throw new Error('TOUCHSTONE_SHARED names no folder')

type Unit = 'turn' | 'session'
type Row = Summary['trials'][number]

/** Sessions are longer than the model reads, so they are also searched by their sentences. */
const PARTS = [
  '--set',
  'prepare.index={grid: {whole: passages, parts: {sentences: {each: 1}}}}',
  '--set',
  'compare.baseline=bm25 index=whole',
]

function measure(unit: Unit): Summary {
  const folder = join('experiments', `memory-${unit}s`)
  const settings = [
    `dataset.locomo.path=${join(shared as string, 'data', 'locomo10', 'locomo10.json')}`,
    `dataset.locomo.unit=${unit}`,
    `prepare.embedder={transformers: {model: ${join(shared as string, 'models', 'all-MiniLM-L6-v2')}}}`,
  ].flatMap((setting) => ['--set', setting])
  const more = unit === 'session' ? PARTS : []
  const { status } = spawnSync(
    process.execPath,
    ['bin/touchstone.js', 'run', 'configs/memory.yaml', '-o', folder, ...settings, ...more],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  if (status !== 0) throw new Error(`${folder} ended with ${status}`)
  return JSON.parse(readFileSync(join(root, folder, 'summary.json'), 'utf8'))
}

const summaries: Record<Unit, Summary> = { turn: measure('turn'), session: measure('session') }
const MEASURES = [
  'recall@1',
  'recall@5',
  'recall@10',
  'hit@1',
  'hit@5',
  'hit@10',
  'full_recall@5',
  'full_recall@10',
]
const ranked = ({ trials }: Summary) =>
  [...trials].sort((a, b) => (b.measures['recall@5'].mean ?? 0) - (a.measures['recall@5'].mean ?? 0))
const code = (name: string) => `\`${name.replace(' index=', ', ')}\``

/** A row: means in percent, the interval of recall@5, and the difference to the baseline with its interval. */
function rows(summary: Summary): string {
  const cells = ranked(summary).map(({ id, name, measures }) => {
    const { low, high } = measures['recall@5']
    const compared = summary.comparison?.rows.find((row) => row.id === id)
    const interval =
      compared?.low == null ? '' : ` [${signed(compared.low)}, ${signed(compared.high)}] ${compared.verdict}`
    return [
      code(name),
      ...MEASURES.map((measure) => {
        const mean = percent(measures[measure].mean)
        return measure === 'recall@5' && low != null
          ? `${mean} [${percent(low)}, ${percent(high ?? null)}]`
          : mean
      }),
      compared ? `${signed(compared.difference)}${interval}` : 'baseline',
    ]
  })
  return table(
    ['', ...MEASURES.map((name) => name.replace('full_recall', 'full')), 'recall@5 to bm25'],
    cells,
  )
}

/** recall@5 of the best row of a strategy by category. */
function categories(): string {
  const [first] = summaries.turn.trials
  const names = Object.keys(first.categories)
  const lines = (Object.entries(summaries) as [Unit, Summary][]).flatMap(([unit, summary]) =>
    ['bm25', 'hybrid', 'naive'].map((strategy) => {
      const row = ranked(summary).find((trial) => trial.strategy === strategy) as Row
      return [
        `${unit}: ${code(row.name)}`,
        ...names.map((name) => percent(row.categories[name]['recall@5'].mean)),
      ]
    }),
  )
  const sizes = new Map(summaries.turn.datasets[0].categories.map(({ name, queries }) => [name, queries]))
  return table(['recall@5', ...names.map((name) => `${name} (${sizes.get(name)})`)], lines)
}

/** Figures of https://github.com/denn-gubsky/loomcycle/pull/1064, which leave out adversarial questions: of no row of published/. */
const LOOMCYCLE = { 'recall@10': 66.75, 'hit@10': 74.07 }

/** The measures of `LOOMCYCLE` over the questions by turn that are not adversarial. */
function withoutAdversarial({ categories }: Row): string {
  const groups = Object.entries(categories).flatMap(([name, group]) =>
    name === 'adversarial' ? [] : [group],
  )
  return Object.keys(LOOMCYCLE)
    .map((measure) => {
      const n = groups.reduce((sum, group) => sum + group[measure].n, 0)
      return percent(
        groups.reduce((sum, group) => sum + (group[measure].mean ?? 0) * group[measure].n, 0) / n,
      )
    })
    .join(' and ')
}

function published(): string {
  const [best] = ranked(summaries.turn)
  const turns = summaries.turn.trials.find(({ name }) => name === 'bm25') as Row
  const theirs = Object.values(LOOMCYCLE).map((value) => value.toFixed(1))
  const sessions = summaries.session.trials.find(({ name }) => name === 'bm25 index=whole') as Row
  const [any, share, all] = ['hit@5', 'recall@5', 'full_recall@5'].map((measure) =>
    percent(sessions.measures[measure].mean),
  )
  return `[loomcycle](https://github.com/denn-gubsky/loomcycle/pull/1064), with bge-m3 and without adversarial questions, has a recall@10 and
hit@10 by turn of ${theirs.join(' and ')}; here bm25 has ${withoutAdversarial(turns)}, ${code(best.name)} ${withoutAdversarial(best)}.

The definition moves a figure more than most systems do: bm25 by session has ${any} (any evidence), ${share} (share) or ${all} (all) at 5.`
}

/** Smallest differences that the comparison could detect, and half the width of its intervals. */
function resolution(): string {
  return (Object.entries(summaries) as [Unit, Summary][])
    .map(([unit, { comparison }]) => {
      const tested = (comparison?.rows ?? []).filter((row) => row.detectable !== null)
      const detectable = tested.map((row) => row.detectable ?? 0).sort((a, b) => a - b)
      const [least, most] = [detectable[0], detectable[detectable.length - 1]]
      const median = detectable[Math.floor(detectable.length / 2)]
      return `- By ${unit}: ${percent(least)} to ${percent(most)} points of recall@5, ${percent(median)} in the median of ${tested.length} rows against bm25.`
    })
    .join('\n')
}

writeBlocks(join(root, 'docs', 'evidence', 'memory.md'), {
  turns: rows(summaries.turn),
  sessions: rows(summaries.session),
  categories: categories(),
  published: published(),
  resolution: resolution(),
  findings: (Object.entries(summaries) as [Unit, Summary][])
    .flatMap(([unit, { findings }]) =>
      findings
        .filter(({ about }) => /^(?:Cutoff|Saturated|Missing gold)/.test(about))
        .map(({ text }) => `- By ${unit}: ${text}`),
    )
    .join('\n'),
})
