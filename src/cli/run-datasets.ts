import { dirname } from 'node:path'
import { leaderboardText } from '../report/leaderboard.ts'
import { requireReportFile } from '../report/page-file.ts'
import type { MacroSummary } from '../results/macro.ts'
import { removeLeftovers } from '../run/leftovers.ts'
import type { RunOptions } from '../run/run.ts'
import { type DatasetRun, runDatasets } from '../run/run-datasets.ts'
import { type OpenConfig, processes } from './experiment.ts'
import type { Io } from './io.ts'
import { shownPath } from './io.ts'
import { datasetReport, isReportOf, noteReport } from './report-file.ts'

/** What a run over several datasets came to; null where it was stopped. */
interface RanDatasets {
  readonly macro: MacroSummary
  readonly runs: readonly (DatasetRun & { readonly report: string })[]
}

/** Runs every dataset, writes the reports that do not stand there yet, and says what came of it. */
export async function runAndReport(
  { experiment, opened }: OpenConfig,
  report: string,
  options: RunOptions,
  io: Io,
  json: boolean,
): Promise<RanDatasets | null> {
  const { folder } = options
  for (const one of opened) requireReportFile(datasetReport(report, one.folder))
  const outcome = await runDatasets(experiment, opened, options)
  if (outcome.kind === 'interrupted') {
    const { dataset, done, shards } = outcome
    io.err(`stopped in ${dataset} with ${done} of ${shards} shards done; the same command resumes`)
    return null
  }
  const { macro, whole } = outcome
  const runs = outcome.runs.map((ran, index) => ({
    ...ran,
    report: datasetReport(report, opened[index].folder),
  }))
  for (const index of new Set([report, ...runs.map((ran) => ran.report)].map((file) => dirname(file))))
    removeLeftovers(index, processes, 1)
  for (const ran of runs) {
    if (ran.whole && isReportOf(ran.folder, ran.report)) continue
    const { writeReport } = await import('../report/write.ts')
    noteReport(ran.folder, await writeReport(ran.folder, ran.report))
  }
  const stands = whole && isReportOf(folder, report, macro.result)
  if (!stands) {
    const { writeMacroReport } = await import('../report/write.ts')
    const reports = runs.map((ran) => ran.report)
    noteReport(folder, writeMacroReport(folder, report, reports), macro.result)
  }
  if (json) return { macro, runs }
  if (whole) io.out('the results are complete and unchanged; nothing was computed\n')
  io.out(leaderboardText(macro, null, { columns: io.columns }))
  io.out(`report: ${shownPath(io.folder, report)}${stands ? ', unchanged' : ''}`)
  for (const ran of runs) io.out(`  ${ran.dataset}: ${shownPath(io.folder, ran.report)}`)
  return { macro, runs }
}
