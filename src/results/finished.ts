import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { type Diagnostic, UserError } from '../errors.ts'
import { hashOf, sha256, sha256File, unsealed } from '../store/hash.ts'
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

export const CONFIG = 'experiment.yaml'

function hashIn(folder: string, file: string): string | null {
  const path = join(folder, file)
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? sha256File(path) : null
}

const texts = z.record(z.string(), z.string())
const counts = z.record(z.string(), z.number())
const manifest = z.looseObject({
  result: z.string(),
  plan: z.string(),
  config: z.string(),
  dataset: z.string(),
  version: z.string(),
  experiment: z.string().nullable(),
  files: texts,
  artifacts: texts,
  machine: texts,
  steps: z.object({ planned: counts, computed: counts, exact: z.boolean() }),
})

/** A parsed `manifest.json`; undefined if it was altered or is of another form. */
export function manifestIn(parsed: unknown): Manifest | undefined {
  const value = unsealed(parsed)
  return hasFormat(value) && manifest.safeParse(value).success ? (value as unknown as Manifest) : undefined
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

/**
 * Folders of an experiment's datasets; null for an experiment over one. Throws a UserError if the list was changed,
 * since `clean` would remove the artifacts of missing datasets.
 */
export function datasetFolders(folder: string): readonly string[] | null {
  const file = join(resolve(folder), 'plan.json')
  if (!existsSync(file)) return null
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
  const plan = unsealed(parsed)
  if (plan === undefined) throw new UserError(changed(file))
  const { datasets } = (plan ?? {}) as { readonly datasets?: unknown }
  return Array.isArray(datasets) ? datasets.map(String) : null
}
