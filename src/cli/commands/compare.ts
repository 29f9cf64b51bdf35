import { compareAll } from '../../library/compare-runs.ts'
import { requireOne } from '../../library/measures.ts'
import { DIALECTS, type DialectName } from '../../metrics/dialects.ts'
import { formatC } from '../../metrics/format.ts'
import { verdictWord } from '../../report/outcome.ts'
import { latexTabular } from '../../report/table.ts'
import { terminalTable } from '../../report/terminal.ts'
import { type Clusters, countedUnits } from '../../statistics/clusters.ts'
import type { Comparison } from '../../statistics/comparison.ts'
import { CORRECTIONS, type Correction } from '../../statistics/correction.ts'
import { raised, significanceLetters } from '../../statistics/letters.ts'
import { countSigns, signTest } from '../../statistics/sign-test.ts'
import { pairedDifferences } from '../../statistics/summarize.ts'
import { tTest } from '../../statistics/t-test.ts'
import { wilcoxon } from '../../statistics/wilcoxon.ts'
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
      summary: 'draws of the randomization test',
    },
    seed: { kind: 'integer', value: 'N', min: 0, default: 0, summary: 'seed of the draws' },
    ...JUDGED_RUNS,
    latex: { kind: 'flag', summary: 'print a LaTeX table of the means with significance letters' },
  },
  examples: [
    'touchstone compare qrels.txt bm25.trec hybrid.trec -m recall@5',
    "touchstone compare qrels.txt 'runs/*.trec' --pairs --correction benjamini-hochberg --json",
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
      ...{ measure, dialect, presentOnly: leavesOutMissing(options, dialect) },
      correction: options.correction as Correction,
    })
    for (const [index, one] of scores.entries()) warnOfForeignIds(runs[index].file, one, args.qrels, io)
    const order = names.map((_, index) => index)
    const sign = measure.metric.better === 'higher' ? -1 : 1
    order.sort((a, b) => sign * (scores[a].mean - scores[b].mean) || a - b)
    const letters = significanceLetters(
      order.map((index) => names[index]),
      comparisons.map(({ name: id, baseline, verdict }) => ({ id, baseline, verdict })),
    )
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
          ...otherTests(rowOf(one.name), rowOf(one.baseline), clusters, level),
        })),
      })
    else if (options.latex) {
      const rows = names.map((name, run) => {
        const { letter, beats } = letters.get(name) ?? { letter: '', beats: '' }
        return [letter, name, `${formatC(scores[run].mean, 4)}${raised(beats)}`]
      })
      io.out(latexTabular(['', 'run', label], [{ title: '', rows }]).join('\n'))
    } else {
      const means = names.map((name, run) => {
        const { letter, beats } = letters.get(name) ?? { letter: '', beats: '' }
        return [letter, name, formatC(scores[run].mean, 4), judgedShare(scores[run]), beats]
      })
      io.out(terminalTable([['', 'run', label, JUDGED_COLUMN, 'beats'], ...means], { right: [2, 3] }))
      io.out('')
      io.out(terminalTable(comparisonGrid(comparisons), { right: [1, 2, 3, 4, 5, 6, 7, 8] }))
      io.out(
        `\n${queries} queries${clusters ? ` in ${new Set(clusters).size} clusters that share gold` : ''}; p: paired randomization, ${draws} draws; adjusted: ${options.correction} over ${comparisons.length}; intervals: ${100 * (1 - level)} %, all at once; detectable: with 80 % power; beats: letters of the runs that it is better than, at level ${level}`,
      )
    }
  },
})

function comparisonGrid(comparisons: readonly Comparison[]): string[][] {
  const signed = (value: number) => `${value >= 0 ? '+' : ''}${formatC(value, 4)}`
  const head = [
    'comparison',
    'difference',
    'low',
    'high',
    'p',
    'adjusted',
    'W/T/L',
    'effect',
    'detectable',
    'verdict',
  ]
  const rows = comparisons.map((one) => [
    `${one.name} - ${one.baseline}`,
    signed(one.difference),
    signed(one.low),
    signed(one.high),
    formatC(one.p, 4),
    formatC(one.adjusted, 4),
    `${one.wins}/${one.ties}/${one.losses}`,
    formatC(one.effect, 2),
    one.detectable === null ? '-' : formatC(one.detectable, 4),
    verdictWord(one),
  ])
  return [head, ...rows]
}

/** Three classical tests, over clusters if there are any. NaN has no JSON form: a test that cannot be made is null. */
function otherTests(
  values: Float64Array,
  baseline: Float64Array,
  clusters: Clusters | undefined,
  level: number,
) {
  const differences = pairedDifferences(values, baseline)
  const paired = clusters ? countedUnits(differences, clusters) : differences
  const { t, p, low, high } = tTest(paired, level)
  return {
    tTest: Number.isNaN(t) ? null : { t, p, low, high },
    wilcoxon: wilcoxon(paired),
    signTest: { p: signTest(countSigns(paired)) },
  }
}
