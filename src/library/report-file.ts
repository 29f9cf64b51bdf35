import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import { removeLeftovers } from '../experiment/lock.ts'
import { REPORT, writeReport as writePage } from '../report/write.ts'
import { readManifest, readSummary } from '../results/read.ts'
import { sha256 } from '../store/hash.ts'
import { requireOutputs } from '../store/output.ts'
import { diskError, makeFolder, writeWhole } from '../store/write.ts'
import { processes } from './machine.ts'
import type { RanExperiment } from './run-config.ts'

/** Absolute path of a report: a file, `<name>.html` in a folder, or `reports/<name>.html`. */
export function reportFile(folder: string, option: string | undefined, name: string): string {
  if (option === undefined) return resolve(folder, 'reports', `${name}.html`)
  const path = resolve(folder, option)
  const isFolder = /[/\\]$/.test(option) || (existsSync(path) && statSync(path).isDirectory())
  return isFolder ? join(path, `${name}.html`) : path
}

/** Never part of the result. */
interface Noted {
  readonly result: string
  readonly sha256: string
}

/** True if the report is unaltered and shows the result in `folder`. */
function isReportOf(folder: string, file: string): boolean {
  if (!existsSync(file)) return false
  try {
    const noted: Noted = JSON.parse(readFileSync(noteFile(folder), 'utf8'))
    return noted.result === readManifest(folder).result && noted.sha256 === sha256(readFileSync(file))
  } catch {
    return false
  }
}

function noteReport(folder: string, file: string): void {
  const noted: Noted = { result: readManifest(folder).result, sha256: sha256(readFileSync(file)) }
  try {
    makeFolder(join(folder, 'timings'))
    writeWhole(noteFile(folder), `${JSON.stringify(noted)}\n`)
  } catch (error) {
    // The folder may be read-only; the report is then written again next time.
    if (!diskError(error)) throw error
  }
}

/** In a folder next to the report over all datasets, with the same name. */
export function datasetReport(report: string, folder: string): string {
  return join(dirname(report), basename(report, extname(report)), `${folder}.html`)
}

/** Writes missing reports of a finished experiment. */
export async function writeReportFiles(
  { folder, datasets, whole }: RanExperiment,
  file: string,
): Promise<{
  readonly unchanged: boolean
  readonly datasets: readonly { readonly dataset: string; readonly report: string }[]
}> {
  const reports = datasets.map((run) => ({
    dataset: run.dataset,
    report: datasets.length > 1 ? datasetReport(file, relative(folder, run.folder)) : file,
  }))
  // A killed run may leave an incomplete report.
  for (const place of new Set([file, ...reports.map(({ report }) => report)].map((path) => dirname(path))))
    removeLeftovers(place, processes, 1)
  let unchanged = true
  for (const [index, run] of datasets.entries()) {
    const { report } = reports[index]
    if (run.whole && isReportOf(run.folder, report)) continue
    unchanged = false
    noteReport(run.folder, await writePage(run.folder, report))
  }
  if (datasets.length === 1) return { unchanged, datasets: [] }
  const stands = whole && isReportOf(folder, file)
  const links = reports.map(({ report }) => report)
  if (!stands) noteReport(folder, await writePage(folder, file, links))
  return { unchanged: stands, datasets: reports }
}

function noteFile(folder: string): string {
  return join(folder, 'timings', 'report.json')
}

/** Absolute path. */
export interface WrittenReport {
  readonly report: string
  /** In the config's order; empty for one dataset. */
  readonly datasets: readonly string[]
}

/**
 * Writes the report of a finished experiment from its folder alone. `out`: a file or folder, `reports/NAME.html` by
 * default. Throws a UserError if the folder contains no finished experiment.
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
