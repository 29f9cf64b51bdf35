import { basename, join, resolve } from 'node:path'
import { REPORT, writeReport as writePage } from '../report/write.ts'
import { readSummary } from '../results/read.ts'
import { requireOutputs } from '../store/output.ts'
import { datasetReport, reportFile } from './report-file.ts'

/** Absolute path. */
export interface WrittenReport {
  readonly report: string
  /** Reports of the single datasets, in the config's order; empty for one dataset. */
  readonly datasets: readonly string[]
}

/**
 * Writes the report of a finished experiment, one HTML file, from its folder alone. `out` is a file or a folder:
 * `reports/NAME.html` in the working folder by default. Throws a UserError if the folder contains no finished experiment.
 */
export async function writeReport(
  experiment: string,
  { out, folder = process.cwd() }: { readonly out?: string; readonly folder?: string } = {},
): Promise<WrittenReport> {
  const at = resolve(folder, experiment)
  const report = reportFile(folder, out, basename(at))
  const folders = readSummary(at).datasets.flatMap((dataset) => dataset.folder ?? [])
  const datasets = folders.map((below) => datasetReport(report, below))
  requireOutputs([report, ...datasets].map((path) => ({ path, kind: REPORT })))
  for (const [index, below] of folders.entries()) await writePage(join(at, below), datasets[index])
  await writePage(at, report, datasets)
  return { report, datasets }
}
