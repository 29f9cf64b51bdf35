import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UserError } from '../errors.ts'
import { hashOf } from '../store/hash.ts'
import type { Json } from '../types.ts'
import { alteredFiles, changed } from './finished.ts'
import { type Format, requireFormat } from './format.ts'
import { readManifest } from './read.ts'
import type { ComparisonSummary, Estimate, SampleSummary, Summary, TuningSummary } from './summary.ts'

/**
 * `datasets.json`: an experiment over several datasets as one table. The result of each dataset is an experiment folder
 * below it. Means are fractions (0 to 1); nothing here depends on time or on the folder's location.
 */
export interface MacroSummary {
  readonly format: Format
  readonly experiment: string
  readonly depth: number
  readonly measures: readonly string[]
  /** The measure that names the winner and is compared. */
  readonly primary: string
  readonly scales?: Summary['scales']
  readonly tuning: TuningSummary
  /** Intervals cover 1 - level. */
  readonly level: number
  readonly standIn?: Summary['standIn']
  /** In the config's order. */
  readonly datasets: readonly MacroDataset[]
  /** Tuned strategies with folds or a split, otherwise trials; in the config's order. */
  readonly kind: 'tuned' | 'trial'
  readonly rows: readonly MacroRow[]
  /** Null where there is nothing to compare. */
  readonly comparison: ComparisonSummary | null
  /** Hash of what this was made from, the data sets' results among it. */
  readonly made: string
  /** Hash of all of the above: the certificate of the whole. */
  readonly result: string
}

export interface MacroDataset {
  readonly name: string
  /** Folder of its own experiment, below this one. */
  readonly folder: string
  /** The hash of its own result. */
  readonly result: string
  readonly documents: number
  readonly queries: number
  /** Queries that count in means. */
  readonly judged: number
  readonly judgedUnit: 'document' | 'chunk' | 'span'
  readonly sample?: SampleSummary
  readonly synthetic?: number
  readonly reviewed?: number
}

export interface MacroRow {
  /** A trial's id, or `tuned:<strategy>`: the same in every data set's own result. */
  readonly id: string
  readonly name: string
  readonly strategy: string
  /** Params that the config varies, in the order of the name; empty for a tuned row. */
  readonly varied: Readonly<Record<string, Json>>
  /** Estimates by dataset and measure, as in its own result; null if every query failed there. */
  readonly datasets: readonly (Readonly<Record<string, Estimate>> | null)[]
  /** Unweighted mean of the datasets' means by measure; n counts all queries. Null if a dataset lacks the row. */
  readonly macro: Readonly<Record<string, Estimate>> | null
}

const FILE = 'datasets.json'

/**
 * Opens `datasets.json`. Throws a UserError where it, or a file of one of the datasets, was changed since it was written, or
 * where the experiment has not finished: it is not there, or one of the datasets has another result by now.
 */
export function readMacro(folder: string): MacroSummary {
  const at = resolve(folder)
  const unfinished = new UserError({
    file: folder,
    message:
      'is an experiment over several datasets that has not finished; `touchstone run` with the same config resumes it',
  })
  if (!existsSync(join(at, FILE))) throw unfinished
  const macro = parse(join(at, FILE))
  if (macro.result !== macroResult(macro)) throw new UserError(changed(join(folder, FILE)))
  const altered = macro.datasets.flatMap(({ folder: own, result }) => {
    if (!existsSync(join(at, own, 'summary.json'))) throw unfinished
    const manifest = readManifest(join(at, own))
    if (manifest.result !== result) throw unfinished
    return alteredFiles(join(at, own), manifest).map((file) => changed(join(folder, own, file)))
  })
  if (altered.length > 0) throw new UserError(altered)
  return macro
}

/** The certificate of everything else in the file. */
export function macroResult({ result: _, ...rest }: Partial<MacroSummary>): string {
  return hashOf(rest)
}

function parse(file: string): MacroSummary {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UserError({ file, message: `is not readable JSON: ${reason}; run the config again` })
  }
  requireFormat(file, value)
  return value as MacroSummary
}
