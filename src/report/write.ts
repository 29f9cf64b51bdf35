import { dirname, relative, sep } from 'node:path'
import { readManifest, readResults, readSummary } from '../results/read.ts'
import { type OutputKind, writeOutput } from '../store/output.ts'
import { renderDatasets } from './datasets-page.tsx'
import { detailMeasures } from './detail/pack.ts'
import { renderReport } from './page.ts'

/** Renders an experiment folder to `file`. `reports` are the reports of its datasets, in their order. */
export async function writeReport(
  folder: string,
  file: string,
  reports: readonly string[] = [],
): Promise<string> {
  const links = reports.map((report) =>
    relative(dirname(file), report).split(sep).map(encodeURIComponent).join('/'),
  )
  return writePage(file, await renderFolder(folder, links))
}

/** Renders a folder; `links` lead to the reports of its datasets. */
export async function renderFolder(
  folder: string,
  links: readonly (string | null)[],
  home?: string,
): Promise<string> {
  const summary = readSummary(folder)
  return summary.datasets.length === 1
    ? renderReport(await readResults(folder, detailMeasures), home)
    : renderDatasets(summary, readManifest(folder).result, links, home)
}

/** Mark by which a page is recognised before it is overwritten. */
const GENERATOR = 'name="generator" content="Touchstone"'

export const REPORT: OutputKind = {
  name: 'a report of touchstone',
  isOwn: (beginning) => beginning.includes(GENERATOR),
}

/** Writes a page. Throws a UserError if it cannot be written. */
export function writePage(file: string, page: string): string {
  writeOutput(file, page, REPORT)
  return file
}
