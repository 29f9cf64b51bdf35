import { formatC } from '../../metrics/c-numbers.ts'
import { DIALECTS } from '../../metrics/dialects.ts'
import { type RunScores, scoreRankings } from '../../metrics/score-run.ts'
import type { NamedMeasure } from '../../metrics/trec-names.ts'
import { type Column, terminalTable } from '../../report/table.ts'
import { defineCommand, flag, integer, list } from '../command.ts'
import {
  JUDGED_COLUMN,
  JUDGED_RUNS,
  judgedShare,
  readAsked,
  readJudgedRuns,
  warnOfForeignIds,
} from '../judged-runs.ts'

export default defineCommand({
  name: 'score',
  summary: 'score runs against qrels; equals trec_eval bit for bit',
  args: {
    qrels: { value: 'QRELS', summary: 'qrels: TREC, BEIR, ranx JSON, CSV or Parquet, plain or .gz' },
    runs: {
      value: 'RUN',
      summary: 'runs: TREC, ranx JSON, CSV or Parquet, plain or .gz; patterns are expanded',
      many: true,
    },
  },
  options: {
    measure: list(
      'MEASURE',
      "measure such as ndcg@10, a custom metric such as ./f1.mjs@5, or trec_eval's ndcg_cut.10, official, all_trec; may be repeated (default: official)",
      'm',
    ),
    perQuery: flag('also print the values of every query', 'q'),
    judgedOnly: flag('remove unjudged documents before ranking', 'J'),
    depth: integer('N', 'score only the first N documents per query (default: all)', { short: 'M', min: 1 }),
    ...JUDGED_RUNS,
  },
  examples: [
    'touchstone score qrels.txt bm25.trec',
    'touchstone score qrels.txt bm25.trec -m ndcg@10 -m recall@100 -q',
    "touchstone score qrels.tsv 'runs/*.trec.gz' -m map -m 'rbp(p=0.9)' --json",
    'touchstone score qrels.txt bm25.trec -m all_trec -q -l2 -M100',
  ],
  async run({ args, options, io }) {
    const dialect = DIALECTS[options.dialect]
    const names = options.measure.length > 0 ? options.measure : ['official']
    const namedMeasures = await readAsked(names, options.grade, io)
    const { gold, runs } = await readJudgedRuns(args.qrels, args.runs, dialect, io)
    const measures = namedMeasures.map(({ measure }) => measure)
    const { judgedOnly, depth } = options
    const scored = runs.map(({ file, shown, name, run }) => {
      const scores = scoreRankings({ gold, run: run.queries, measures, dialect, judgedOnly, depth })
      const missing = dialect.presentOnly ? 'left out' : 'counted as 0'
      if (scores.missing > 0)
        io.err(`${shown}: judged queries that the run lacks, ${missing}: ${scores.missing}`)
      warnOfForeignIds(shown, scores, args.qrels, io)
      if (scores.unjudged > 0) io.err(`${shown}: queries without qrels, ignored: ${scores.unjudged}`)
      return { file, shown, name, scores }
    })
    const printing = {
      asked: namedMeasures,
      decimals: dialect.decimals ?? 4,
      perQuery: options.perQuery,
      runid: names.some((name) => name === 'official' || name === 'all_trec'),
    }
    const columns = scoreColumns(printing)
    const asksJudged = namedMeasures.some(({ label }) => label === JUDGED_COLUMN)
    if (options.json) io.json({ dialect: dialect.name, runs: scoreJson(scored, printing) })
    else if (scored.length === 1 || options.perQuery)
      for (const run of scored) {
        io.out(trecLines(run, { ...printing, runid: printing.runid || scored.length > 1 }))
        // Standard output remains equal to trec_eval's.
        if (!asksJudged && run.scores.judged !== null)
          io.err(
            `${run.shown}: judged of the first ten documents (${JUDGED_COLUMN}): ${judgedShare(run.scores)}`,
          )
      }
    else {
      const judged: Column<ScoredRun> = { head: JUDGED_COLUMN, text: ({ scores }) => judgedShare(scores) }
      io.out(terminalTable(scored, asksJudged ? columns : [...columns, judged]))
    }
  },
})

interface ScoredRun {
  readonly file: string
  readonly shown: string
  readonly name: string
  readonly scores: RunScores
}

interface ScorePrinting {
  readonly asked: readonly NamedMeasure[]
  readonly decimals: number
  readonly perQuery: boolean
  /** True if `runid` comes first, as in trec_eval's official list. */
  readonly runid: boolean
}

/** trec_eval's lines `measure<TAB>query<TAB>value`, queries first if requested, then `all`. */
function trecLines({ name, scores }: ScoredRun, { asked, decimals, perQuery, runid }: ScorePrinting): string {
  const lines: string[] = []
  const line = (label: string, query: string, value: string) =>
    lines.push(`${label.padEnd(22)}\t${query}\t${value}`)
  const print = (value: number, index: number) =>
    formatC(value, asked[index].measure.metric.mean === 'sum' ? 0 : decimals)
  if (perQuery)
    scores.queries.forEach((query, row) => {
      asked.forEach(({ label, measure: { metric } }, index) => {
        // trec_eval prints these only for `all`.
        if (metric.name !== 'num_q' && metric.mean !== 'geometric')
          line(label, query, print(scores.values[index][row], index))
      })
    })
  if (runid) line('runid', 'all', name)
  for (const [index, { label }] of asked.entries()) line(label, 'all', print(scores.means[index], index))
  return lines.join('\n')
}

function scoreColumns({ asked, decimals }: ScorePrinting): Column<ScoredRun>[] {
  return [
    { head: 'run', left: true, text: ({ name }) => name },
    ...asked.map(
      ({ label, measure }, index): Column<ScoredRun> => ({
        head: label,
        text: ({ scores }) => formatC(scores.means[index], measure.metric.mean === 'sum' ? 0 : decimals),
      }),
    ),
  ]
}

/** At full precision. */
function scoreJson(runs: readonly ScoredRun[], { asked, perQuery }: ScorePrinting): unknown[] {
  const named = (values: (index: number) => number) =>
    Object.fromEntries(asked.map(({ label }, index) => [label, values(index)]))
  return runs.map(({ file, name, scores }) => ({
    file,
    run: name,
    queries: scores.queries.length,
    missing: scores.missing,
    unjudged: scores.unjudged,
    [JUDGED_COLUMN]: scores.judged,
    measures: named((index) => scores.means[index]),
    ...(perQuery
      ? {
          perQuery: Object.fromEntries(
            scores.queries.map((query, row) => [query, named((index) => scores.values[index][row])]),
          ),
        }
      : {}),
  }))
}
