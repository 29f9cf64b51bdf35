import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mistake } from '../errors.ts'
import { hashOf, sha256, sha256File } from '../store/hash.ts'
import type { Manifest } from './summary.ts'

/** The files that are the result: equal experiments have equal bytes here. Timings, plan and machine are not among them. */
const RESULT_FILES = [
  'queries.parquet',
  'labels.parquet',
  'trials.parquet',
  'scores.parquet',
  'gold.parquet',
  'rankings.parquet',
  'texts.parquet',
  'curves.parquet',
  'diagnostics.parquet',
] as const

/**
 * Files that are part of the result where they are there: the scores of every repeat, what models answered, without which it could
 * not be made again, and the answers to questions.
 */
const OPTIONAL = ['repeats.parquet', 'answers.jsonl', 'answers.parquet'] as const

/** The hash of each result file in `folder`, and of all of them with the summary's `text`: what a manifest certifies. */
export function certify(folder: string, text: string): Pick<Manifest, 'result' | 'files'> {
  const names = [...RESULT_FILES, ...OPTIONAL.filter((file) => existsSync(join(folder, file)))]
  const files = Object.fromEntries(names.map((file) => [file, sha256File(join(folder, file))]))
  return { result: resultOf(files, text), files }
}

/** The files of a finished experiment that do not have the hash that its manifest gives them, or are gone. */
export function alteredFiles(folder: string, { files, result }: Manifest): string[] {
  if (typeof files !== 'object' || files === null) return ['manifest.json']
  const names = [...RESULT_FILES, ...OPTIONAL.filter((file) => file in files)]
  const altered: string[] = names.filter((file) => {
    const path = join(folder, file)
    return !existsSync(path) || sha256File(path) !== files[file]
  })
  if (altered.length > 0) return altered
  return resultOf(files, readFileSync(join(folder, 'summary.json'), 'utf8')) === result
    ? []
    : ['summary.json']
}

export function changed(file: string): Mistake {
  return {
    file,
    message: 'was changed or lost since it was written; `touchstone run` with the same config repairs it',
  }
}

function resultOf(files: Manifest['files'], text: string): string {
  return hashOf({ files, summary: sha256(text.endsWith('\n') ? text.slice(0, -1) : text) })
}
