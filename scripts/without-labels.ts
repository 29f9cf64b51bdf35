// Measures how well signals without labels, and drafted questions, rank strategies as labels do; writes
// docs/evidence/without-labels.md: TOUCHSTONE_SHARED=../shared npx tsx scripts/without-labels.ts [--write] [set ...]
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { draftQuestions } from '../src/library/draft-questions.ts'
import { runConfig } from '../src/library/run-config.ts'
import { RULE_KINDS } from '../src/questions/draft.ts'
import type { Rewording } from '../src/questions/reword.ts'
import { type Results, readResults } from '../src/results/read.ts'
import { createRandom } from '../src/statistics/random.ts'
import { kendallTau } from './without-labels/kendall.ts'
import {
  agreement,
  consensus,
  type KeptRanking,
  nqc,
  scoreClarity,
  wig,
} from './without-labels/predictors.ts'

const root = resolve(import.meta.dirname, '..')
const shared = process.env.TOUCHSTONE_SHARED ?? join(root, '..', 'shared')
const MEASURE = 'ndcg@10'
const DRAWS = 1000
const DRAFTED = 100

const BEIR = { prepare: '{embedder: lsa}', sections: false }
const SETS = [
  ...['hotpotqa-train-100', 'musique-train-100', '2wiki-101', 'claude-docs-100'].map((name) => ({
    ...{
      name,
      ...BEIR,
      corpus: join(shared, 'data', name) as unknown,
      dataset: join(shared, 'data', name) as unknown,
    },
  })),
  {
    name: 'srd52',
    prepare: '{embedder: lsa, chunk: {headings: {levels: 4}}}',
    sections: true,
    corpus: { folder: join(shared, 'data/srd52/src') } as unknown,
    dataset: {
      folder: {
        path: join(shared, 'data/srd52/src'),
        questions: join(root, 'datasets/srd52-queries/questions.jsonl'),
      },
    } as unknown,
  },
]

const TRIALS =
  '[bm25, rm3, naive, rocchio, {hybrid: {alpha: 0.3}, name: hybrid 0.3}, {hybrid: {alpha: 0.7}, name: hybrid 0.7}, title-ppr, random]'

const SIGNALS = ['agreement', 'consensus', 'NQC', 'WIG', 'clarity of scores'] as const
const REWORDED: readonly (readonly [string, Rewording | undefined])[] = [
  ['drafted, as they are', undefined],
  ['drafted, words removed', 'removed'],
]

const folder = mkdtempSync(join(tmpdir(), 'without-labels-'))
const place = { folder, env: process.env }

async function run(name: string, dataset: unknown, prepare: string): Promise<Results> {
  const file = join(folder, `${name}.yaml`)
  writeFileSync(
    file,
    `dataset: none\nprepare: ${prepare}\ntrials: ${TRIALS}\nmeasures: [${MEASURE}]\ncompare: {by: ${MEASURE}, draws: 100}\n`,
  )
  const ran = await runConfig(place, file, {
    set: [`dataset=${JSON.stringify(dataset)}`],
    ...{ allowEmpty: true, workers: 1, out: join(folder, name), store: join(folder, 'store') },
    ...{ progress: () => {}, notice: () => {}, signal: new AbortController().signal },
  })
  if ('stopped' in ran) throw new Error(ran.stopped)
  return readResults(ran.folder)
}

/** Values by [trial][query] of the measure, over the queries that count. */
function labelled({ summary, scores, queries }: Results): number[][] {
  const values = scores.get(MEASURE) ?? new Float64Array(0)
  const all = queries.id.length
  const counted = [...queries.id.keys()].filter((query) =>
    summary.trials.every((_, trial) => !Number.isNaN(values[trial * all + query])),
  )
  return summary.trials.map((_, trial) => counted.map((query) => values[trial * all + query]))
}

/** Values by signal, [trial][query], over all queries. */
function signalsOf({ summary, rankings, queries }: Results): number[][][] {
  const kept: KeptRanking[][] = summary.trials.map(() => queries.id.map(() => ({ chunks: [], scores: [] })))
  for (let row = 0; row < rankings.rows; row++) {
    const own = kept[rankings.trial[row]][rankings.query[row]] as { chunks: string[]; scores: number[] }
    own.chunks.push(rankings.chunk.words[rankings.chunk.codes[row]])
    own.scores.push(rankings.score[row])
  }
  const words = queries.text.map((text) => text.split(/\s+/).length)
  const each = (signal: (own: KeptRanking, query: number, trial: number) => number) =>
    kept.map((rows, trial) => rows.map((own, query) => signal(own, query, trial)))
  const others = (query: number, trial: number) =>
    kept.flatMap((rows, at) => (at === trial ? [] : [rows[query]]))
  return [
    each((own, query, trial) => agreement(own, others(query, trial))),
    each((own, query) =>
      consensus(
        own,
        kept.map((rows) => rows[query]),
      ),
    ),
    each(nqc),
    each((own, query) => wig(own, words[query])),
    each(scoreClarity),
  ]
}

interface Tau {
  readonly tau: number
  readonly low: number
  readonly high: number
}

/** Kendall's tau of the trials' means, with a percentile interval from resampled queries of either side. */
function tauOf(a: readonly number[][], b: readonly number[][], paired: boolean): Tau {
  const random = createRandom(1)
  const means = (values: readonly number[][], drawn: readonly number[]) =>
    values.map((own) => drawn.reduce((sum, query) => sum + own[query], 0) / drawn.length)
  const all = (values: readonly number[][]) => [...(values[0] ?? []).keys()]
  const draw = (values: readonly number[][]) => all(values).map(() => random.below(values[0].length))
  const drawn = Array.from({ length: DRAWS }, () => {
    const first = draw(a)
    return kendallTau(means(a, first), means(b, paired ? first : draw(b)))
  })
    .filter((one) => !Number.isNaN(one))
    .sort((x, y) => x - y)
  const at = (share: number) => drawn[Math.min(drawn.length - 1, Math.floor(share * drawn.length))]
  return { tau: kendallTau(means(a, all(a)), means(b, all(b))), low: at(0.025), high: at(0.975) }
}

async function drafted(set: (typeof SETS)[number], reword: Rewording | undefined) {
  const source = set.sections ? join(shared, 'data/srd52/src') : join(shared, 'data', set.name)
  const found = await draftQuestions(
    place,
    source,
    {
      ...{
        count: DRAFTED,
        kinds: RULE_KINDS,
        seed: 0,
        reword,
        maxOverlap: 1,
        keepTrivial: true,
        noArms: true,
        personas: [],
      },
      ...{ signal: new AbortController().signal, notice: () => {} },
    },
    () => {},
  )
  const name = `${set.name}-${reword ?? 'plain'}`
  const path = join(folder, name)
  if (found.lines === null) found.writeBeir(path)
  else writeFileSync(`${path}.jsonl`, found.lines)
  const dataset = found.lines === null ? path : { folder: { path: source, questions: `${path}.jsonl` } }
  return {
    queries: found.drafts.length,
    kinds: found.sheet.kinds,
    values: labelled(await run(`run-${name}`, dataset, set.prepare)),
  }
}

const number = (value: number) =>
  Number.isNaN(value) || value === undefined ? '-' : value.toFixed(2).replace('-', '−')
const shown = ({ tau, low, high }: Tau) => `${number(tau)} [${number(low)}, ${number(high)}]`

async function measure(set: (typeof SETS)[number]) {
  const results = await run(set.name, set.dataset, set.prepare)
  const human = labelled(results)
  // Signals over the queries that labels count, in their order.
  const all = results.queries.id.length
  const values = results.scores.get(MEASURE) ?? new Float64Array(0)
  const counted = [...results.queries.id.keys()].filter(
    (query) => !Number.isNaN(values[query]) && query < all,
  )
  const signals = signalsOf(results).map((signal) => signal.map((own) => counted.map((query) => own[query])))
  const rows: Record<string, Tau> = {}
  for (const [index, name] of SIGNALS.entries()) rows[name] = tauOf(signals[index], human, true)
  const counts: string[] = []
  for (const [name, reword] of REWORDED) {
    const found = await drafted(set, reword)
    rows[name] = tauOf(found.values, human, false)
    counts.push(
      `${found.queries} (${found.kinds.map(({ kind, questions }) => `${questions} ${kind}`).join(', ')})`,
    )
  }
  const means = results.summary.trials.map(({ name, measures }) => ({ name, mean: measures[MEASURE].mean }))
  return { name: set.name, queries: counted.length, rows, counts, means }
}

const FILE = join(root, 'docs/evidence/without-labels.md')
const write = process.argv.includes('--write')
const wanted = process.argv.slice(2).filter((one) => !one.startsWith('--'))
const chosen = SETS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))

/** Lines of the page about one set, each in place of the line with the same beginning. */
function linesOf({ name, queries, rows, counts, means }: Awaited<ReturnType<typeof measure>>): string[] {
  const taus = [...SIGNALS, ...REWORDED.map(([row]) => row)].map((row) => shown(rows[row]))
  return [
    `| ${name} | ${queries} | ${taus.join(' | ')} |`,
    `| ${name}, ${MEASURE} | ${means.map(({ mean }) => (100 * mean).toFixed(1)).join(' | ')} |`,
    `- ${name}: ${counts.join('; ')}`,
  ]
}

function withLine(page: string, line: string): string {
  const [start] = /^(?:\| [^|]+ \||- [^:]+:)/.exec(line) ?? ['']
  const lines = page.split('\n')
  if (!lines.some((one) => one.startsWith(start)))
    throw new Error(`${FILE} has no line that begins with ${start}`)
  return lines.map((one) => (one.startsWith(start) ? line : one)).join('\n')
}

try {
  for (const set of chosen) {
    const lines = linesOf(await measure(set))
    console.log(lines.join('\n'))
    if (write) writeFileSync(FILE, lines.reduce(withLine, readFileSync(FILE, 'utf8')))
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
