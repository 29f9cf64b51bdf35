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
type Measures = Row['measures']

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

/** Published figures with the definition that their source states, in percent. */
const PUBLISHED = [
  {
    system: '[graph-memory](https://github.com/adoresever/graph-memory/issues/76), two-stage lexical',
    unit: 'session',
    definition: 'all evidence',
    measures: { 'full_recall@5': 82.9, 'full_recall@10': 90.21 },
  },
  {
    system: '[deja-vu](https://github.com/vshulcz/deja-vu/pull/326)',
    unit: 'session',
    definition: 'any evidence',
    measures: { 'hit@1': 69.8, 'hit@5': 85.6 },
  },
  {
    system:
      '[Engram](https://github.com/snap-research/locomo/issues/38), bge-large, BM25 and a cross-encoder',
    unit: 'session',
    definition: 'any evidence; sessions of 10 retrieved chunks',
    measures: { 'hit@5': 93.9, 'hit@10': 95.0 },
  },
  {
    system:
      '[MemPalace](https://github.com/MemPalace/mempalace/blob/main/benchmarks/BENCHMARKS.md), hybrid v5',
    unit: 'session',
    definition: 'share of evidence; 4 questions without evidence included',
    measures: { 'recall@5': 83.7, 'recall@10': 88.9 },
  },
  {
    system: '[hippo-memory](https://github.com/kitfunso/hippo-memory/pull/124)',
    unit: 'turn',
    definition: 'share of evidence',
    measures: { 'recall@5': 36.34 },
  },
  {
    system: '[loomcycle](https://github.com/denn-gubsky/loomcycle/pull/1064), bge-m3',
    unit: 'turn',
    definition: 'share, and any; without adversarial questions',
    measures: { 'recall@10': 66.75, 'hit@10': 74.07 },
    without: 'adversarial',
  },
] as const

function published(): string {
  const lines = PUBLISHED.map((entry) => {
    const summary = summaries[entry.unit]
    const meanOf = ({ measures, categories }: Row, measure: string) => {
      const groups: readonly Measures[] =
        'without' in entry
          ? Object.entries(categories).flatMap(([name, group]) => (name === entry.without ? [] : [group]))
          : [measures]
      const n = groups.reduce((sum, group) => sum + group[measure].n, 0)
      return groups.reduce((sum, group) => sum + (group[measure].mean ?? 0) * group[measure].n, 0) / n
    }
    const bm25 = summary.trials.find(({ name }) => /^bm25( index=whole)?$/.test(name)) as Row
    const best = ranked(summary)[0]
    const cells = (row: Row) =>
      Object.keys(entry.measures)
        .map((measure) => percent(meanOf(row, measure)))
        .join(' / ')
    const theirs = Object.values(entry.measures).map((value) => value.toFixed(1))
    return [
      entry.system,
      entry.unit,
      `${Object.keys(entry.measures).join(', ').replaceAll('full_recall', 'full')}: ${entry.definition}`,
      theirs.join(' / '),
      cells(bm25),
      `${cells(best)} ${code(best.name)}`,
    ]
  })
  const bm25 = summaries.session.trials.find(({ name }) => name === 'bm25 index=whole') as Row
  const [any, share, all] = ['hit@5', 'recall@5', 'full_recall@5'].map((measure) =>
    percent(bm25.measures[measure].mean),
  )
  return `${table(['system', 'unit', 'measure', 'published', 'bm25', 'first row'], lines)}

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
