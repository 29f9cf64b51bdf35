import { existsSync, statSync } from 'node:fs'
import { UserError } from '../../errors.ts'
import { compareAll } from '../../library/compare-runs.ts'
import { requireOne } from '../../library/score-run.ts'
import { formatC } from '../../metrics/c-numbers.ts'
import { DIALECTS } from '../../metrics/dialects.ts'
import { comparedText } from '../../report/compared.tsx'
import { significanceLetters } from '../../report/letters.ts'
import { pairedScale } from '../../report/measured.ts'
import { testName } from '../../report/notes.ts'
import { verdictWord } from '../../report/outcome.ts'
import { type Column, terminalTable } from '../../report/table.ts'
import { type ComparedSide, compareExperiments } from '../../results/compare-experiments.ts'
import type { Comparison } from '../../statistics/compare.ts'
import { type TTestOptions, tTest } from '../../statistics/intervals.ts'
import { pairedDifferences } from '../../statistics/moments.ts'
import { type CommandInput, choice, defineCommand, flag, integer, list, number, text } from '../command.ts'
import {
  JUDGED_COLUMN,
  JUDGED_RUNS,
  judgedShare,
  readAsked,
  readJudgedRuns,
  warnOfForeignIds,
} from '../judged-runs.ts'

const ARGS = {
  paths: {
    value: 'PATH',
    summary:
      'qrels and two or more run files, the first the baseline; or finished experiments, the first with each other',
    many: true,
  },
} as const

const TEST = { correction: 'max-t', draws: 10_000 } as const

const OPTIONS = {
  measure: text(
    'MEASURE',
    'measure to compare by, such as ./f1.mjs@5 (default: ndcg@10 of runs, the primary measure of experiments)',
    { short: 'm' },
  ),
  baseline: text('RUN', 'name of the baseline run'),
  pairs: flag('compare every pair of at most 20 runs'),
  trial: list(
    'NAME',
    'only this row of the experiments; if given twice, the first is the row before, the second the row now',
    't',
  ),
  limit: integer('N', 'maximum number of flipped queries of experiments to show', { min: 0, default: 10 }),
  level: number('P', 'significance level', { min: 0.0001, max: 0.5, default: 0.05 }),
  margin: number('X', 'call runs equivalent if the whole interval is within plus or minus X', { min: 0 }),
  cluster: choice('BY', ['gold'], 'treat queries that share a relevant document as one cluster'),
  ...JUDGED_RUNS,
} as const

type Input = CommandInput<typeof ARGS, typeof OPTIONS>

export default defineCommand({
  name: 'compare',
  summary: 'compare runs by paired tests, or finished experiments: config, data, measures, flipped queries',
  args: ARGS,
  options: OPTIONS,
  examples: [
    'touchstone compare qrels.txt bm25.trec hybrid.trec -m recall@5',
    "touchstone compare qrels.txt 'runs/*.trec' --pairs --json",
    'touchstone compare qrels.txt old.trec new.trec -m ndcg@10 --margin 0.01',
    'touchstone compare experiments/main experiments/new --trial bm25 --limit 3',
    'touchstone compare experiments/new --trial bm25 --trial hybrid',
  ],
  run(input) {
    const { args, options, io } = input
    const folders = args.paths.filter((path) => isFolder(io.path(path)))
    if (folders.length > 0 && folders.length < args.paths.length)
      throw new UserError('name qrels and run files, or folders of experiments; not both')
    const isExperiments = folders.length > 0 || options.trial.length > 0
    const untested = ONLY_RUNS.filter((name) => isExperiments && (options[name] ?? false) !== false)
    if (untested.length > 0)
      throw new UserError(untested.map((name) => ({ message: `--${name} is for run files` })))
    return isExperiments ? compareFolders(input) : compareFiles(input)
  },
})

const ONLY_RUNS = ['baseline', 'pairs', 'cluster'] as const

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

/** The first experiment with each other one, or two rows of one. */
async function compareFolders({ args, options, io }: Input): Promise<void> {
  const { trial, measure, limit, level, margin } = options
  const [before, ...others] = args.paths
  if (trial.length > 2) throw new UserError('--trial: give it once or twice')
  if (others.length === 0 && trial.length < 2)
    throw new UserError('name a second experiment, or two rows of this one: --trial NAME --trial NAME')
  if (others.length === 0 && trial[0] === trial[1])
    throw new UserError(`--trial: \`${trial[0]}\` twice; name two rows`)
  const shown = (side: ComparedSide) => ({ ...side, folder: io.shown(side.folder) })
  const comparisons: Awaited<ReturnType<typeof compareExperiments>>[] = []
  for (const now of others.length === 0 ? [[]] : others.map((path) => [path])) {
    const compared = await compareExperiments({
      folders: [before, ...now].map((path) => io.path(path)),
      rows: trial.length === 0 ? [] : [{ before: trial[0], now: trial.at(-1) as string }],
      measure,
      limit,
      scaleOf: pairedScale,
      test: { level, margin },
    })
    comparisons.push({ ...compared, before: shown(compared.before), now: shown(compared.now) })
  }
  io.result({ comparisons }, () =>
    comparisons.map((compared) => comparedText(compared, io.columns)).join('\n\n'),
  )
}

async function compareFiles({ args, options, io }: Input): Promise<void> {
  const [qrels, ...paths] = args.paths
  const name = options.measure ?? 'ndcg@10'
  const dialect = DIALECTS[options.dialect]
  const namedMeasures = await readAsked([name], options.grade, io)
  const { measure, label } = requireOne(namedMeasures, name)
  const { gold, runs } = await readJudgedRuns(qrels, paths, dialect, io)
  const names = runs.map(({ name }) => name)
  const { level } = options
  const { correction, draws } = TEST
  const comparing = { ...options, ...TEST, measure, dialect }
  const { scores, queries, clusters, comparisons } = compareAll(gold, runs, comparing)
  for (const [index, run] of scores.entries()) warnOfForeignIds(runs[index].shown, run, qrels, io)
  const order = names.map((_, index) => index)
  const sign = measure.metric.better === 'higher' ? -1 : 1
  order.sort((a, b) => sign * (scores[a].mean - scores[b].mean) || a - b)
  const letters = significanceLetters(
    order.map((index) => names[index]),
    comparisons.map(({ name: id, baseline, verdict }) => ({ id, baseline, verdict })),
  )
  const rowOf = (name: string) => scores[names.indexOf(name)].values
  const counted = clusters && new Set(clusters).size
  if (options.json)
    return io.json({
      measure: label,
      dialect: dialect.name,
      queries,
      ...(counted && { cluster: options.cluster, clusters: counted }),
      level,
      correction,
      draws,
      seed: 0,
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
  const lettered = names.map((name, run) => ({ name, ...scores[run], ...NO_LETTERS, ...letters.get(name) }))
  const table = terminalTable(lettered, [
    { head: '', left: true, text: ({ letter }) => letter },
    { head: 'run', left: true, text: ({ name }) => name },
    { head: label, text: ({ mean }) => formatC(mean, 4) },
    { head: JUDGED_COLUMN, text: judgedShare },
    { head: 'beats', left: true, text: ({ beats }) => beats },
  ])
  const over = `${queries} queries${counted ? ` in ${counted} clusters that share gold` : ''}`
  io.out(
    `${table}\n\n${terminalTable(comparisons, COMPARISON)}\n\n${over}; p: ${testName(comparisons, draws)}, exact for few differences; adjusted: ${correction} over ${comparisons.length}; intervals: ${100 * (1 - level)} %, simultaneous; W/T/L: queries won, tied, lost; effect: Cohen's d of the paired differences; detectable: with 80 % power; beats: letters of the runs that it is better than, at level ${level}`,
  )
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

/** With Bonferroni's correction; null if the differences do not vary. */
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
