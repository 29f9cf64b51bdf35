import { UserError } from '../../errors.ts'
import { SHARD_SIZE, type ShardShare } from '../../experiment/plan/plan.ts'
import { datasetReport, reportFile, writeReportFiles } from '../../library/report-file.ts'
import { runConfig } from '../../library/run-config.ts'
import { FAILURES } from '../../report/findings/trials.ts'
import { resultText } from '../../report/leaderboard.ts'
import { boardOf } from '../../report/make-board.ts'
import { verdictSentence } from '../../report/sections/verdict.tsx'
import { REPORT } from '../../report/write.ts'
import { readLatency } from '../../results/read.ts'
import type { Summary } from '../../results/summary.ts'
import { requireOutputs } from '../../store/output.ts'
import { printable, shellWord } from '../../text/printable.ts'
import { defineCommand, flag, integer, output, text } from '../command.ts'
import { BUG } from '../io.ts'
import { CONFIG, configFile, LIMIT, ONLY, SET, STORE } from '../options.ts'

export default defineCommand({
  name: 'run',
  summary: 'run or resume an experiment; prints the leaderboard and the path of the report',
  args: { config: CONFIG },
  options: {
    set: SET,
    store: STORE,
    only: ONLY,
    limit: LIMIT,
    workers: integer('N', 'worker threads (default: one per core if that is faster)', { min: 1, max: 256 }),
    out: output('DIR', 'folder of the experiment (default: experiments/<name>)'),
    report: text('FILE', 'file or folder of the report (default: reports/<name>.html)', { output: true }),
    shardSize: integer('N', 'queries per shard', { min: 1, max: 10_000, default: SHARD_SIZE }),
    shards: text(
      'I/N',
      'run only the I-th of N shares of the shards, as tasks of a cluster do on a shared folder and store; then `run --collect`',
    ),
    collect: flag('compute the results from the parts of `--shards`; run no shard'),
  },
  examples: [
    'touchstone run configs/quickstart.yaml',
    'touchstone run configs/quickstart.yaml --limit 20',
    'touchstone run configs/multihop.yaml --set dataset=datasets/quickstart --workers 2',
    'touchstone run configs/quickstart.yaml --shards 3/8',
  ],
  interrupted: 'nothing is lost',
  async run({ args, options, io, signal }) {
    const share = options.shards === undefined ? undefined : shareOf(options.shards)
    if (share && options.collect) throw new UserError('--shards and --collect exclude each other')
    const config = configFile(io.folder, args.config)
    let reports = ''
    let mlflow: string | undefined
    const ran = await runConfig(io, config, {
      ...options,
      share,
      progress: io.progress,
      notice: io.err,
      signal,
      opened({ experiment, opened }) {
        mlflow = experiment.track?.mlflow
        reports = reportFile(io.folder, options.report, experiment.name)
        const datasetReports =
          opened.length > 1 ? opened.map(({ folder }) => datasetReport(reports, folder)) : []
        requireOutputs([reports, ...datasetReports].map((path) => ({ path, kind: REPORT })))
      },
    })
    if ('stopped' in ran) {
      io.err(`stopped ${ran.stopped}; resume with the same command`)
      return
    }
    if ('shards' in ran) {
      io.result(
        { experiment: ran.folder, shards: ran.shards, of: ran.all },
        `${ran.shards} of ${ran.all} shards done; \`touchstone run --collect\` computes the results`,
      )
      return
    }
    const { folder, datasets, summary, whole } = ran
    const isSeveral = datasets.length > 1
    for (const run of datasets)
      for (const { about, text } of run.summary.findings)
        if (about === FAILURES) io.err(isSeveral ? `${run.dataset}: ${text}` : text)
    const written = await writeReportFiles(ran, reports)
    let tracked: string[] | undefined
    if (mlflow !== undefined)
      try {
        const { trackRun } = await import('../../library/mlflow.ts')
        const pages = [...written.datasets.map(({ report }) => report), reports]
        tracked = await trackRun(mlflow, ran, pages, { signal, notice: io.err, progress: io.progress })
      } catch (error) {
        if (!(error instanceof UserError)) throw error
        io.err(`the result is complete, but it is not in MLflow: ${error.message}`)
      }
    if (!options.json) {
      if (whole)
        io.out(
          `the ${isSeveral ? 'results are' : 'result is'} complete and unchanged; nothing was computed\n`,
        )
      const link = (path: string) => io.paint.link(printable(io.shown(path)), path)
      const report = [
        `report: ${link(reports)}${written.unchanged ? ', unchanged' : ''}`,
        ...written.datasets.map(({ dataset, report }) => `  ${printable(dataset)}: ${link(report)}`),
        ...(tracked ?? []).map((address) => `MLflow: ${printable(address)}`),
      ].join('\n')
      const latency = readLatency(folder)
      const { columns, paint } = io
      const experiment = shellWord(io.shown(folder))
      io.painted(resultText(summary, latency, { columns, paint, report, experiment }))
    } else
      io.json({
        experiment: folder,
        report: reports,
        verdict: verdictSentence(boardOf(summary)),
        tracked,
        ran: datasets.reduce((sum, { ran }) => sum + ran, 0),
        summary,
        ...(isSeveral && {
          datasets: datasets.map(({ folder: experiment, whole: _, ...run }, index) => ({
            ...run,
            report: written.datasets[index].report,
            experiment,
          })),
        }),
      })
    return datasets.some(({ summary }) => failedWholly(summary)) ? BUG : undefined
  },
})

/** Throws a UserError for anything but I/N. */
function shareOf(text: string): ShardShare {
  const [, number, count] = /^(\d{1,6})\/(\d{1,6})$/.exec(text)?.map(Number) ?? []
  if (number === undefined || number < 1 || number > count)
    throw new UserError(`--shards must be I/N with I from 1 to N, as 3/8, not ${text}`)
  return { number, count }
}

/** True if a trial failed on every query. */
function failedWholly({ trials, datasets: [dataset] }: Summary): boolean {
  return dataset.queries > 0 && trials.some(({ failed }) => failed === dataset.queries)
}
