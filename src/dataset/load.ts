import { existsSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { UserError } from '../errors.ts'
import { didYouMean } from '../text/nearest.ts'
import type { Json } from '../types.ts'
import { openDoor } from './check.ts'
import type { DatasetFormat } from './format.ts'
import { datasetFormats } from './formats/index.ts'
import type { Dataset } from './types.ts'

/**
 * Loads and checks a data set. `choice` is a format and its params, as `{name: 'beir', params: {path: '../data'}}`;
 * the path is relative to `baseDir`. Throws one UserError with every mistake, each with its file (absolute)
 * and line.
 */
export async function loadDataset(
  choice: { readonly name: string; readonly params: Readonly<Record<string, Json>> },
  baseDir: string,
): Promise<Dataset> {
  const { format, params } = resolveFormat(choice)
  const path = resolve(baseDir, params.path)
  if (!existsSync(path)) throw new UserError({ file: path, message: 'the data set is not there' })
  const door = openDoor(params.missingGold === 'count' ? 'count' : 'error')
  try {
    await format.load({ ...params, path }, door.intake)
    return door.close(basename(path))
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const folder = statSync(path).isDirectory() ? path : dirname(path)
    throw new UserError(
      error.mistakes.map((mistake) => ({ ...mistake, file: mistake.file && resolve(folder, mistake.file) })),
    )
  }
}

/** The format of a choice and its params with the defaults filled in. Throws a UserError for an unknown name or wrong params. */
export function resolveFormat(choice: {
  readonly name: string
  readonly params: Readonly<Record<string, Json>>
}): {
  readonly format: DatasetFormat
  readonly params: { readonly path: string; readonly [param: string]: Json }
} {
  const names = datasetFormats.map(({ name }) => name)
  const format = datasetFormats.find(({ name }) => name === choice.name)
  if (!format)
    throw new UserError(
      `unknown dataset format "${choice.name}"${didYouMean(choice.name, names)}; there are ${names.join(', ')}`,
    )
  const parsed = format.params.safeParse(choice.params)
  if (!parsed.success)
    throw new UserError(
      parsed.error.issues.map(({ path, message }) => ({
        message: `dataset.${[choice.name, ...path].join('.')}: ${message}`,
      })),
    )
  return { format, params: parsed.data as { path: string } }
}

/** The format that a bare path looks like: the first that knows it, else `beir`, whose mistakes then say what is missing. */
export function detectFormat(path: string): string {
  return datasetFormats.find((format) => format.detect?.(path))?.name ?? 'beir'
}
