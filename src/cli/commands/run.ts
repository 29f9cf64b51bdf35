import { UserError } from '../../errors.ts'
import { SHARD_SIZE } from '../../experiment/plan/plan.ts'
import type { ShardShare } from '../../experiment/plan/shards.ts'
import { datasetReport, reportFile, writeReportFiles } from '../../library/report-file.ts'
import { runConfig } from '../../library/run-config.ts'
import { leaderboardText, resultText } from '../../report/leaderboard.ts'
import { REPORT } from '../../report/page-file.ts'
import { readLatency } from '../../results/read.ts'
import type { Summary } from '../../results/summary.ts'
import { requireOutputs } from '../../store/output.ts'
import { printable } from '../../text/printable.ts'
import { shellWord, shownPath } from '../../text/shown-path.ts'
import { ALLOW_EMPTY, defineCommand, LIMIT, ONLY, SET, STORE } from '../command.ts'
import { CONFIG, configFile } from '../config-file.ts'
import { BUG } from '../exit.ts'
import { viewRun } from '../view-run.ts'

export const run = defineCommand({
  args: { config: CONFIG },
  options: {
    set: SET,
    allowEmpty: ALLOW_EMPTY,
    store: STORE,
    only: ONLY,
    limit: LIMIT,
    workers: {
      kind: 'integer',
      value: 'N',
      min: 1,
      max: 256,
      summary: 'worker threads (default: one per core)',
    },
    out: {
      kind: 'text',
      short: 'o',
      value: 'DIR',
      output: true,
      summary: 'folder of the experiment (default: experiments/<name>)',
    },
    report: {
      kind: 'text',
      value: 'FILE',
      output: true,
      summary: 'file or folder of the report (default: reports/<name>.html)',
    },
    shardSize: {
      kind: 'integer',
      value: 'N',
      min: 1,
      max: 10_000,
      default: SHARD_SIZE,
      summary: 'queries per shard',
    },
    verbose: { kind: 'flag', summary: 'print every trial and note, as `leaderboard` does' },
    shards: {
      kind: 'text',
      value: 'I/N',
      summary:
        'run only the I-th of N shares of the shards, as tasks of a cluster do on a shared folder and store; then `run --collect`',
    },
    collect: { kind: 'flag', summary: 'compute the results from the parts of `--shards`; run no shard' },
    view: {
      kind: 'flag',
      summary: 'show the progress in the browser, and the report at the end; Ctrl-C ends that',
    },
    noSharing: {
      kind: 'flag',
      summary: 'compute every trial separately, to verify that sharing changes nothing',
    },
  },
  examples: [
    'touchstone run configs/quickstart.yaml',
    'touchstone run configs/quickstart.yaml --limit 20',
    'touchstone run configs/multihop.yaml --set dataset=datasets/quickstart --workers 2',
    'touchstone run configs/quickstart.yaml --shards 3/8',
  ],
  interrupted: 'nothing is lost',
  async run({ args, options, io, signal, done }) {
    const share = options.shards === undefined ? undefined : shareOf(options.shards)
    if (share && options.collect) throw new UserError('--shards and --collect exclude each other')
    const config = configFile(io.folder, args.config)
    let reports = ''
    const ran = await runConfig(io, config, {
      ...options,
      share,
      sharing: !options.noSharing,
      progress: io.progress,
      notice: io.err,
      signal,
      opened({ experiment, opened }, folder) {
        reports = reportFile(io.folder, options.report, experiment.name)
        const own = opened.length > 1 ? opened.map(({ folder }) => datasetReport(reports, folder)) : []
        requireOutputs([reports, ...own].map((path) => ({ path, kind: REPORT })))
        if (options.view) viewRun(io, folder, options.out === undefined)
      },
    })
    if ('stopped' in ran) {
      io.err(`stopped ${ran.stopped}; resume with the same command`)
      return
    }
    if ('shards' in ran) {
      if (options.json) io.json({ experiment: ran.folder, shards: ran.shards, of: ran.all })
      else
        io.out(`${ran.shards} of ${ran.all} shards done; \`touchstone run --collect\` computes the results`)
      return
    }
    const { folder, datasets, macro, whole } = ran
    for (const { dataset, summary } of datasets)
      for (const line of failuresInWords(summary)) io.err(macro ? `${dataset}: ${line}` : line)
    const written = await writeReportFiles(ran, reports)
    if (!options.json) {
      if (whole)
        io.out(`the ${macro ? 'results are' : 'result is'} complete and unchanged; nothing was computed\n`)
      const link = (path: string) => io.paint.link(printable(shownPath(io.folder, path)), path)
      const report = [
        `report: ${link(reports)}${written.unchanged ? ', unchanged' : ''}`,
        ...written.datasets.map(({ dataset, report }) => `  ${printable(dataset)}: ${link(report)}`),
      ].join('\n')
      const result = macro ?? datasets[0].summary
      const latency = macro ? null : readLatency(folder)
      if (options.verbose) io.painted(`${leaderboardText(result, latency, io)}\n${report}`)
      else {
        const { columns, paint } = io
        const experiment = shellWord(shownPath(io.folder, folder))
        io.painted(resultText(result, latency, { columns, paint, report, experiment }))
      }
    } else if (macro)
      io.json({
        experiment: folder,
        report: reports,
        macro,
        datasets: datasets.map(({ folder: own, whole: _, ...one }, index) => ({
          ...one,
          report: written.datasets[index].report,
          experiment: own,
        })),
      })
    else {
      const [{ ran: shards, summary }] = datasets
      io.json({ experiment: folder, report: reports, ran: shards, summary })
    }
    if (options.view) {
      done()
      io.err('the page shows the result until Ctrl-C')
      await new Promise(() => {})
    }
    return datasets.some(({ summary }) => failedWholly(summary)) ? BUG : undefined
  },
})

/** Share of the shards named by `3/8`. Throws a UserError for anything else. */
function shareOf(text: string): ShardShare {
  const [, number, count] = /^(\d{1,6})\/(\d{1,6})$/.exec(text)?.map(Number) ?? []
  if (number === undefined || number < 1 || number > count)
    throw new UserError(`--shards must be I/N with I from 1 to N, as 3/8, not ${text}`)
  return { number, count }
}

/** One line for each trial, row of answers and judge that failed: the number of failures and the first reason. */
function failuresInWords({ trials, dataset, answers }: Summary): string[] {
  const first = ([{ query, message }]: readonly { readonly query: string; readonly message: string }[]) =>
    `first on ${query}: ${message}`
  const unanswered = answers?.rows
    .filter(({ failed }) => failed > 0)
    .map(
      ({ answerer, trial, failed, failures }) =>
        `${answerer} gave no answer ${trial ? `from ${trial.name} ` : ''}to ${failed} of ${dataset.queries} questions; ${first(failures)}`,
    )
  const unjudged = answers?.judges
    ?.filter(({ failed }) => failed > 0)
    .map(
      ({ name, failed, failures }) =>
        `${name} gave no verdict on ${failed} ${failed === 1 ? 'answer' : 'answers'}; ${first(failures)}`,
    )
  const broken = trials
    .filter(({ failed }) => failed > 0)
    .map(({ name, failed, failures: [first] }) => {
      const often = failed === dataset.queries ? 'every query' : `${failed} of ${dataset.queries} queries`
      return `${name} failed on ${often}; first on ${first.query}, in the step ${first.step}: ${first.message}`
    })
  return [...broken, ...(unanswered ?? []), ...(unjudged ?? [])]
}

/** True if a trial failed on every query. */
function failedWholly({ trials, dataset }: Summary): boolean {
  return dataset.queries > 0 && trials.some(({ failed }) => failed === dataset.queries)
}
