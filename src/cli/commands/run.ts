import { availableParallelism } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { askAhead } from '../../plan/ask-ahead.ts'
import { prepareWords } from '../../plan/describe-words.ts'
import { mergedInWords } from '../../plan/equal-trials.ts'
import { prepareAll, requireQueries } from '../../plan/open.ts'
import { SHARD_SIZE } from '../../plan/plan.ts'
import { requireParams } from '../../plan/require-params.ts'
import { leaderboardText } from '../../report/leaderboard.ts'
import { requireReportFile } from '../../report/page-file.ts'
import { readLatency } from '../../results/read.ts'
import type { Summary } from '../../results/summary.ts'
import { inProcess } from '../../run/executors/in-process.ts'
import { threads } from '../../run/executors/threads.ts'
import { requireExperimentFolder } from '../../run/folder.ts'
import { removeLeftovers } from '../../run/leftovers.ts'
import { type RunOptions, run as runExperiment } from '../../run/run.ts'
import { ALLOW_EMPTY, defineCommand, SET } from '../command.ts'
import { BUG } from '../exit.ts'
import { ONLY, type OpenDataset, openConfigs, processes, STORE } from '../experiment.ts'
import { foretell } from '../foretell.ts'
import { describeMachine } from '../machine.ts'
import { isReportOf, noteReport, reportFile } from '../report-file.ts'

export const run = defineCommand({
  name: 'run',
  summary: 'run or resume an experiment; prints the leaderboard and the path of the report',
  args: { config: { value: 'CONFIG', summary: 'the YAML file' } },
  options: {
    set: SET,
    allowEmpty: ALLOW_EMPTY,
    store: STORE,
    only: ONLY,
    workers: {
      kind: 'integer',
      value: 'N',
      min: 1,
      max: 256,
      summary: 'worker threads (default: one a core)',
    },
    out: {
      kind: 'text',
      short: 'o',
      value: 'DIR',
      summary: "the experiment's folder (default: experiments/<name>)",
    },
    report: {
      kind: 'text',
      value: 'FILE',
      summary: 'the report: a file or a folder (default: reports/<name>.html)',
    },
    shardSize: {
      kind: 'integer',
      value: 'N',
      min: 1,
      max: 10_000,
      default: SHARD_SIZE,
      summary: 'queries a shard',
    },
    noSharing: { kind: 'flag', summary: 'compute every trial alone, to prove that sharing changes nothing' },
  },
  examples: [
    'touchstone run configs/quickstart.yaml',
    'touchstone run configs/multihop.yaml --set dataset=datasets/quickstart --workers 2',
  ],
  interrupted: 'nothing is lost: the same command resumes where it stopped',
  async run({ args, options, io, signal }) {
    const config = await openConfigs(io, args.config, options)
    const { experiment, opened } = config
    const { name } = experiment
    const folder = resolve(io.folder, options.out ?? join('experiments', name))
    const reports = reportFile(io, options.report, name)
    // Before hours of work, not after them.
    requireExperimentFolder(folder)
    requireReportFile(reports)
    for (const { open } of opened) requireQueries(open)
    for (const { open } of opened)
      for (const notice of open.dataset.notices) io.err(`${open.dataset.name}: ${notice}`)
    const [first] = opened
    for (const line of mergedInWords(first.open.experiment, first.open.trials)) io.err(line)
    // Over all datasets, before the first is embedded.
    await requireParams(
      opened.map((one) => one.open),
      io.progress,
    )
    for (const one of opened) await prepareWords(one.open, io.progress)
    const workers = options.workers ?? availableParallelism()
    for (const line of (await foretell(opened, workers)).warnings) io.err(line)
    for (const one of opened) await prepareAll(one.open, io.progress)
    const clock = () => performance.now()
    const answered: OpenDataset[] = []
    for (const one of opened) {
      const asked = await askAhead(one.open, { signal, clock, progress: io.progress }).catch(
        unlessAborted(signal),
      )
      if (!asked) {
        io.err('stopped while asking models; what was answered is kept, and the same command resumes')
        return
      }
      answered.push({ ...one, open: asked })
    }
    const running: RunOptions = {
      folder,
      executor: workers === 1 ? inProcess(clock) : threads(workers),
      shardSize: options.shardSize,
      sharing: !options.noSharing,
      progress: io.progress,
      say: (what, path) => io.err(NEWS[what](shown(io.folder, path), shown(io.folder, withoutHash(path)))),
      signal,
      clock,
      processes,
      machine: describeMachine(),
    }
    const [{ open }, ...others] = answered
    if (others.length > 0) {
      const { runAndReport } = await import('../run-datasets.ts')
      const ran = await runAndReport(
        { experiment, opened: [answered[0], ...answered.slice(1)] },
        reports,
        running,
        io,
        options.json,
      )
      if (!ran) return
      const { macro, runs } = ran
      for (const { dataset, summary } of runs)
        for (const line of failuresInWords(summary)) io.err(`${dataset}: ${line}`)
      if (options.json)
        io.json({
          experiment: folder,
          report: reports,
          macro,
          datasets: runs.map(({ folder: own, whole: _, ...one }) => ({ ...one, experiment: own })),
        })
      return runs.some(({ summary }) => failedWholly(summary)) ? BUG : undefined
    }
    const outcome = await runExperiment(open, running)
    if (outcome.kind === 'interrupted') {
      io.err(`stopped with ${outcome.done} of ${outcome.shards} shards done; the same command resumes`)
      return
    }
    const { summary, ran, whole } = outcome
    // A run that was killed while it wrote its report may have left half of one.
    removeLeftovers(dirname(reports), processes, 1)
    const stands = whole && isReportOf(folder, reports)
    for (const line of failuresInWords(summary)) io.err(line)
    if (!options.json) {
      if (whole) io.out('the result is complete and unchanged; nothing was computed\n')
      io.out(leaderboardText(summary, readLatency(folder), { columns: io.columns }))
    }
    if (!stands) {
      // Not before: drawing loads more than all the rest.
      const { writeReport } = await import('../../report/write.ts')
      noteReport(folder, await writeReport(folder, reports))
    }
    if (options.json) io.json({ experiment: folder, report: reports, ran, summary })
    else io.out(`report: ${shown(io.folder, reports)}${stands ? ', unchanged' : ''}`)
    return failedWholly(summary) ? BUG : undefined
  },
})

/** By what happened: what is said of a path in or beside the experiment's folder. */
const NEWS = {
  'set aside': (path: string, folder: string) =>
    `${folder} held another experiment or version; moved to ${path}`,
  'taken back': (path: string, folder: string) => `${path} holds this experiment; moved back to ${folder}`,
  altered: (path: string) => `${path} was changed or lost; the result is rebuilt from its parts`,
}

/** The folder that was set aside as `path`. */
function withoutHash(path: string): string {
  return path.replace(/\.(old-\d+|[0-9a-f]{8})$/, '')
}

function shown(from: string, path: string): string {
  const short = relative(from, path)
  return short.startsWith('..') ? path : short
}

function unlessAborted(signal: AbortSignal) {
  return (error: unknown) => {
    if (!signal.aborted) throw error
  }
}

/** One line a trial that failed: how often, and the first reason. */
function failuresInWords({ trials, dataset }: Summary): string[] {
  return trials
    .filter(({ failed }) => failed > 0)
    .map(({ name, failed, failures: [first] }) => {
      const often = failed === dataset.queries ? 'every query' : `${failed} of ${dataset.queries} queries`
      return `${name} failed on ${often}; first on ${first.query}, in the step ${first.step}: ${first.message}`
    })
}

/** A trial that fails on every query is broken, not weak. */
function failedWholly({ trials, dataset }: Summary): boolean {
  return dataset.queries > 0 && trials.some(({ failed }) => failed === dataset.queries)
}
