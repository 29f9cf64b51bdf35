import { dirname, relative, sep } from 'node:path'
import { readMacro } from '../results/macro.ts'
import { readResults } from '../results/read.ts'
import { renderDatasets } from './datasets-page.ts'
import { detailMeasures } from './detail/pack.ts'
import { renderReport } from './page.ts'
import { writePage } from './page-file.ts'

/** Renders an experiment folder to `file`, from result files alone. Returns the file's path. */
export async function writeReport(folder: string, file: string): Promise<string> {
  return writePage(file, await renderReport(await readResults(folder, detailMeasures)))
}

/** Renders `datasets.json` of a folder to `file`; `reports` are the datasets' own, in their order. Returns the path. */
export async function writeMacroReport(
  folder: string,
  file: string,
  reports: readonly string[],
): Promise<string> {
  const links = reports.map((report) =>
    relative(dirname(file), report).split(sep).map(encodeURIComponent).join('/'),
  )
  return writePage(file, await renderDatasets(readMacro(folder), links))
}
