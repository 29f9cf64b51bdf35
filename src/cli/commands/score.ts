import { DIALECTS, type DialectName } from '../../metrics/dialects.ts'
import { scoreRun } from '../../metrics/score-run.ts'
import { askedMeasures } from '../../metrics/trec-names.ts'
import { defineCommand } from '../command.ts'
import { JUDGED_RUNS, readJudgedRuns, requireLabels } from '../judged-runs.ts'
import { latexGrid } from '../latex.ts'
import { scoreGrid, scoreJson, trecLines } from '../scores.ts'
import { table } from '../table.ts'

export const score = defineCommand({
  name: 'score',
  summary: "measures of runs against judgements: trec_eval's job, bit for bit",
  args: {
    qrels: { value: 'QRELS', summary: 'judgements: TREC, BEIR, ranx JSON, CSV or Parquet, plain or .gz' },
    runs: {
      value: 'RUN',
      summary: 'runs: TREC, ranx JSON, CSV or Parquet, plain or .gz; patterns are expanded',
      many: true,
    },
  },
  options: {
    measure: {
      kind: 'list',
      short: 'm',
      value: 'MEASURE',
      summary:
        "as ndcg@10, or trec_eval's ndcg_cut.10, official, all_trec; may be repeated (default: official)",
    },
    perQuery: { kind: 'flag', short: 'q', summary: 'every query too' },
    ...JUDGED_RUNS,
    latex: { kind: 'flag', summary: 'a LaTeX table, one row a run' },
  },
  examples: [
    'touchstone score qrels.txt bm25.trec',
    'touchstone score qrels.txt bm25.trec -m ndcg@10 -m recall@100 -q',
    "touchstone score qrels.tsv 'runs/*.trec.gz' -m map -m 'rbp(p=0.9)' --json",
    'touchstone score qrels.txt bm25.trec -m all_trec -q -c -l2 -M100',
  ],
  async run({ args, options, io }) {
    const dialect = DIALECTS[options.dialect as DialectName]
    const names = options.measure.length > 0 ? options.measure : ['official']
    const asked = askedMeasures(names, { rel: options.grade })
    requireLabels(asked)
    const { gold, runs } = await readJudgedRuns(
      args.qrels,
      args.runs,
      { lenient: options.lenient, dialect },
      io,
    )
    const measures = asked.map(({ measure }) => measure)
    const { presentOnly, judgedOnly, depth } = options
    const scored = runs.map(({ file, name, run }) => {
      const scores = scoreRun({ gold, run: run.queries, measures, dialect, presentOnly, judgedOnly, depth })
      const missing = presentOnly ? 'left out' : 'counted as 0'
      if (scores.missing > 0)
        io.err(`${file}: judged queries that the run lacks, ${missing}: ${scores.missing}`)
      if (scores.unjudged > 0) io.err(`${file}: queries without judgements, passed over: ${scores.unjudged}`)
      return { file, name, scores }
    })
    const printing = {
      asked,
      decimals: dialect.decimals ?? 4,
      perQuery: options.perQuery,
      runid: names.some((name) => name === 'official' || name === 'all_trec'),
    }
    if (options.json) io.json({ dialect: dialect.name, runs: scoreJson(scored, printing) })
    else if (options.latex) io.out(latexGrid(scoreGrid(scored, printing)))
    else if (scored.length === 1 || options.perQuery)
      for (const one of scored)
        io.out(trecLines(one, { ...printing, runid: printing.runid || scored.length > 1 }))
    else
      io.out(
        table(scoreGrid(scored, printing), {
          columns: Number.POSITIVE_INFINITY,
          right: asked.map((_, place) => place + 1),
        }),
      )
  },
})
