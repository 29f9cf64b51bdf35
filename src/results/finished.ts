import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Diagnostic } from '../errors.ts'
import { hashOf, sha256, sha256File, unsealed } from '../store/hash.ts'
import { isMap } from '../text/json.ts'
import { hasFormat } from './format.ts'
import type { Manifest } from './summary.ts'

/** Files of the result: equal experiments have equal bytes here. Timings, plan and machine are excluded. */
const RESULT_FILES = [
  'queries.parquet',
  'labels.parquet',
  'trials.parquet',
  'scores.parquet',
  'gold.parquet',
  'rankings.parquet',
  'texts.parquet',
  'diagnostics.parquet',
] as const

/** Optional files of the result: stored completions, answers, citations and reasons. */
const OPTIONAL_RESULT = ['answers.jsonl', 'answers.parquet', 'citations.parquet', 'reasons.parquet'] as const

/** Certified files outside the result's hash: they explain rankings and graphs. */
const EXPLAINING = ['breakdown.parquet', 'walks.parquet', 'routes.parquet', 'graphs.json'] as const

export const OPTIONAL: readonly string[] = [...OPTIONAL_RESULT, ...EXPLAINING]

/** Hashes of the result files, of the whole result with the summary's `text`, and of the config. */
export function certify(folder: string, text: string): Pick<Manifest, 'result' | 'files' | 'experiment'> {
  const names = [...RESULT_FILES, ...OPTIONAL].filter((file) => existsSync(join(folder, file)))
  const files = Object.fromEntries(names.map((file) => [file, sha256File(join(folder, file))]))
  return { result: resultOf(files, text), files, experiment: hashIn(folder, CONFIG) }
}

/** Files that are gone or differ from the manifest's hash. */
export function alteredFiles(folder: string, { files, result, experiment }: Manifest): string[] {
  const altered = Object.keys(files).filter((file) => hashIn(folder, file) !== files[file])
  if (hashIn(folder, CONFIG) !== experiment) altered.push(CONFIG)
  if (altered.length > 0) return altered
  return resultOf(files, readFileSync(join(folder, 'summary.json'), 'utf8')) === result
    ? []
    : ['summary.json']
}

/** Config as `run` wrote it. */
export const CONFIG = 'experiment.yaml'

function hashIn(folder: string, file: string): string | null {
  const path = join(folder, file)
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? sha256File(path) : null
}

/** A parsed `manifest.json`; undefined if it was altered or is of another form. */
export function manifestIn(parsed: unknown): Manifest | undefined {
  const value = unsealed(parsed)
  return isManifest(value) ? value : undefined
}

function isManifest(value: unknown): value is Manifest {
  if (!hasFormat(value)) return false
  const { result, plan, config, dataset, version, files, artifacts, steps, machine, experiment } =
    value as Partial<Manifest>
  const isCount = (one: unknown) => typeof one === 'number'
  const isText = (one: unknown) => typeof one === 'string'
  return (
    [result, plan, config, dataset, version].every(isText) &&
    (experiment === null || isText(experiment)) &&
    [files, artifacts, machine].every((one) => isMapOf(one, isText)) &&
    isMapOf(steps, () => true) &&
    isMapOf(steps.planned, isCount) &&
    isMapOf(steps.computed, isCount) &&
    typeof steps.exact === 'boolean'
  )
}

function isMapOf(value: unknown, is: (one: unknown) => boolean): value is Record<string, unknown> {
  return isMap(value) && Object.values(value).every(is)
}

export function changed(file: string): Diagnostic {
  return {
    file,
    message: 'was changed or lost since it was written; `touchstone run` with the same config repairs it',
  }
}

function resultOf(files: Manifest['files'], text: string): string {
  const explaining = new Set<string>(EXPLAINING)
  const made = Object.fromEntries(Object.entries(files).filter(([file]) => !explaining.has(file)))
  return hashOf({ files: made, summary: sha256(text.endsWith('\n') ? text.slice(0, -1) : text) })
}
