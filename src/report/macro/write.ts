import { dirname, relative, sep } from 'node:path'
import { readMacro } from '../../results/macro.ts'
import { writePage } from '../write.ts'
import { renderMacro } from './page.ts'

/** Renders `datasets.json` of a folder to `file`; `reports` are the data sets' own, in their order. Returns the path. */
export function writeMacroReport(folder: string, file: string, reports: readonly string[]): string {
  const links = reports.map((report) =>
    relative(dirname(file), report).split(sep).map(encodeURIComponent).join('/'),
  )
  return writePage(file, renderMacro(readMacro(folder), links))
}
