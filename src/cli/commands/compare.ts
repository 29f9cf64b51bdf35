import { compareAll } from '../../library/compare-runs.ts'
import { requireOne } from '../../library/measures.ts'
import { DIALECTS, type DialectName } from '../../metrics/dialects.ts'
import { formatC } from '../../metrics/format.ts'
import { raised, significanceLetters } from '../../report/letters.ts'
import { testName } from '../../report/notes.ts'
import { plural } from '../../report/numbers.ts'
import { verdictWord } from '../../report/outcome.ts'
import { type Column, latexTabular, terminalTable } from '../../report/table.ts'
import { CORRECTIONS, type Correction } from '../../statistics/compare.ts'
import type { Comparison } from '../../statistics/comparison.ts'
import { pairedDifferences } from '../../statistics/summarize.ts'
import { type TTestOptions, tTest } from '../../statistics/t-test.ts'
import { defineCommand } from '../command.ts'
import {
  JUDGED_COLUMN,
  JUDGED_RUNS,
  judgedShare,
  leavesOutMissing,
  readAsked,
  readJudgedRuns,
  warnOfForeignIds,
} from '../judged-runs.ts'

export const compare = defineCommand({
  args: {
    qrels: { value: 'QRELS', summary: 'qrels: TREC, BEIR, ranx JSON, CSV or Parquet, plain or .gz' },
    runs: {
      value: 'RUN',
      summary: 'two or more runs; the first is the baseline unless --baseline names one',
      many: true,
    },
  },
  options: {
    measure: {
      kind: 'text',
      short: 'm',
      value: 'MEASURE',
      default: 'ndcg@10',
      summary: 'measure to compare by: a name, or a custom metric such as ./f1.mjs@5',
    },
    baseline: { kind: 'text', value: 'RUN', summary: 'name of the baseline' },
    pairs: { kind: 'flag', summary: 'compare every pair of at most 20 runs' },
    level: {
      kind: 'number',
      value: 'P',
      min: 0.0001,
      max: 0.5,
      default: 0.05,
      summary: 'significance level',
    },
    correction: {
      kind: 'text',
      value: 'NAME',
      choices: CORRECTIONS,
      default: 'max-t',
      summary: 'correction of p-values over the family of tests',
    },
    margin: {
      kind: 'number',
      value: 'X',
      min: 0,
      summary: 'call runs equivalent if the whole interval is within plus or minus X',
    },
    cluster: {
      kind: 'text',
      value: 'BY',
      choices: ['gold'],
      summary: 'treat queries that share a relevant document as one cluster',
    },
    draws: {
      kind: 'integer',
      value: 'N',
      min: 100,
      max: 10_000_000,
      default: 10_000,
      summary: 'resamples of the bootstrap',
    },
    seed: { kind: 'integer', value: 'N', min: 0, default: 0, summary: 'seed of the draws' },
    ...JUDGED_RUNS,
    latex: { kind: 'flag', summary: 'print a LaTeX table of the means with significance letters' },
  },
  examples: [
    'touchstone compare qrels.txt bm25.trec hybrid.trec -m recall@5',
    "touchstone compare qrels.txt 'runs/*.trec' --pairs --json",
    'touchstone compare qrels.txt old.trec new.trec -m ndcg@10 --margin 0.01',
  ],
  async run({ args, options, io }) {
    const dialect = DIALECTS[options.dialect as DialectName]
    const asked = await readAsked([options.measure], options.grade, io)
    const { measure, label } = requireOne(asked, options.measure)
    const { gold, runs } = await readJudgedRuns(args.qrels, args.runs, { ...options, dialect }, io)
    const names = runs.map(({ name }) => name)
    const { level, seed, draws } = options
    const { scores, queries, clusters, comparisons } = compareAll(gold, runs, {
      ...options,
      cluster: options.cluster as 'gold' | undefined,
      measure,
      dialect,
      presentOnly: leavesOutMissing(options, dialect),
      correction: options.correction as Correction,
    })
    for (const [index, one] of scores.entries()) warnOfForeignIds(runs[index].shown, one, args.qrels, io)
    const order = names.map((_, index) => index)
    const sign = measure.metric.better === 'higher' ? -1 : 1
    order.sort((a, b) => sign * (scores[a].mean - scores[b].mean) || a - b)
    const letters = significanceLetters(
      order.map((index) => names[index]),
      comparisons.map(({ name: id, baseline, verdict }) => ({ id, baseline, verdict })),
    )
    const lettered = names.map((name, run) => ({ name, ...scores[run], ...NO_LETTERS, ...letters.get(name) }))
    type Lettered = (typeof lettered)[number]
    const named: readonly Column<Lettered>[] = [
      { head: '', left: true, text: ({ letter }) => letter },
      { head: 'run', left: true, text: ({ name }) => name },
    ]
    const rowOf = (name: string) => scores[names.indexOf(name)].values
    if (options.json)
      io.json({
        measure: label,
        dialect: dialect.name,
        queries,
        ...(clusters && { cluster: options.cluster, clusters: new Set(clusters).size }),
        level,
        correction: options.correction,
        draws,
        seed,
        runs: names.map((name, index) => ({
          run: name,
          file: runs[index].file,
          mean: scores[index].mean,
          [JUDGED_COLUMN]: scores[index].judged,
          ...letters.get(name),
        })),
        comparisons: comparisons.map(({ strata: _, ...one }) => ({
          ...one,
          tTest: pairedTTest(rowOf(one.name), rowOf(one.baseline), {
            level,
            comparisons: comparisons.length,
            clusters,
          }),
        })),
      })
    else if (options.latex) {
      const columns = [
        ...named,
        { head: label, text: ({ mean, beats }: Lettered) => `${formatC(mean, 4)}${raised(beats)}` },
      ]
      io.out(latexTabular({ columns, parts: [{ title: '', rows: lettered }] }).join('\n'))
      io.out(`% Letters after a mean: ${lettersWords(level, options.correction, comparisons.length)}.`)
    } else {
      io.out(
        terminalTable(lettered, [
          ...named,
          { head: label, text: ({ mean }) => formatC(mean, 4) },
          { head: JUDGED_COLUMN, text: judgedShare },
          { head: 'beats', left: true, text: ({ beats }) => beats },
        ]),
      )
      io.out('')
      io.out(terminalTable(comparisons, COMPARISON))
      io.out(
        `\n${queries} queries${clusters ? ` in ${new Set(clusters).size} clusters that share gold` : ''}; p: ${testName(comparisons, draws)}, exact for few differences; adjusted: ${options.correction} over ${comparisons.length}; intervals: ${100 * (1 - level)} %, simultaneous; W/T/L: queries won, tied, lost; effect: Cohen's d of the paired differences; detectable: with 80 % power; beats: letters of the runs that it is better than, at level ${level}`,
      )
    }
  },
})

/** Meaning of the letters, for the caption of a table. */
function lettersWords(level: number, correction: string, comparisons: number): string {
  return `better than the runs with these letters (paired test, ${correction} over ${plural(comparisons, 'comparison')}, level ${level})`
}

const NO_LETTERS = { letter: '', beats: '' }

const signed = (value: number | null) =>
  value === null ? '-' : `${value >= 0 ? '+' : ''}${formatC(value, 4)}`
const probability = (p: number | null) => (p === null ? '-' : formatC(p, 4))
const COMPARISON: readonly Column<Comparison>[] = [
  { head: 'comparison', left: true, text: ({ name, baseline }) => `${name} - ${baseline}` },
  { head: 'difference', text: ({ difference }) => signed(difference) },
  { head: 'low', text: ({ low }) => signed(low) },
  { head: 'high', text: ({ high }) => signed(high) },
  { head: 'p', text: ({ p }) => probability(p) },
  { head: 'adjusted', text: ({ adjusted }) => probability(adjusted) },
  { head: 'W/T/L', text: ({ wins, ties, losses }) => `${wins}/${ties}/${losses}` },
  { head: 'effect', text: ({ effect }) => formatC(effect, 2) },
  { head: 'detectable', text: ({ detectable }) => (detectable === null ? '-' : formatC(detectable, 4)) },
  { head: 'verdict', left: true, text: (row) => row.untested ?? verdictWord(row) },
]

/** Paired t-test with Bonferroni's correction; null if the differences do not vary. */
function pairedTTest(values: Float64Array, baseline: Float64Array, options: TTestOptions) {
  const all = pairedDifferences(values, baseline)
  const counted = [...all.keys()].filter((query) => !Number.isNaN(all[query]))
  const { clusters } = options
  const test = tTest(
    counted.map((query) => all[query]),
    { ...options, clusters: clusters && counted.map((query) => clusters[query]) },
  )
  return Number.isNaN(test.t) ? null : test
}
