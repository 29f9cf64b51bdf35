import { basename, join, resolve } from 'node:path'
import { REPORT } from '../report/page-file.ts'
import { writeMacroReport, writeReport as writePage } from '../report/write.ts'
import { holdsDatasets } from '../results/dataset-folders.ts'
import { readMacro } from '../results/macro.ts'
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
  const datasets = holdsDatasets(at) ? readMacro(at).datasets : []
  const own = datasets.map((dataset) => datasetReport(report, dataset.folder))
  requireOutputs([report, ...own].map((path) => ({ path, kind: REPORT })))
  for (const [index, dataset] of datasets.entries()) await writePage(join(at, dataset.folder), own[index])
  if (datasets.length > 0) await writeMacroReport(at, report, own)
  else await writePage(at, report)
  return { report, datasets: own }
}
