import { statSync } from 'node:fs'
import { basename, dirname, resolve as resolvePath } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { UserError } from '../errors.ts'
import { resolve } from '../registry.ts'
import type { Json } from '../types.ts'
import { openDatasetBuilder } from './builder.ts'
import { detect, openRoot } from './detect.ts'
import type { Reading } from './format.ts'
import { datasetFormats } from './formats/index.ts'
import { readLabelsFile, withLabels } from './labels-file.ts'
import { policiesOf } from './policies.ts'
import type { Dataset } from './types.ts'
import { isZip } from './zip.ts'

interface LoadOptions extends Reading {
  readonly allowEmpty?: boolean
}

/**
 * Loads and checks a dataset. `choice` is a format and its params, as `{name: 'beir', params: {path: '../data'}}`;
 * paths are relative to `baseDir`. Throws one UserError with every error, each with its file (absolute)
 * and line. `allowEmpty` says `emptyDocuments: count` of any format.
 */
export async function loadDataset(
  choice: { readonly name: string; readonly params: Readonly<Record<string, Json>> },
  baseDir: string,
  { allowEmpty = false, ...reading }: LoadOptions = {},
): Promise<Dataset> {
  const { definition: format, params } = resolve(datasetFormats, choice)
  const path = resolvePath(baseDir, String(params.path))
  const files = Object.entries(format.params.shape).filter(([name, schema]) => isPath(schema) && params[name])
  const absolute = Object.fromEntries(
    files.map(([name]) => [name, resolvePath(baseDir, String(params[name]))]),
  )
  const { root, shown, close } = openRoot(path, format)
  const policies = policiesOf(params)
  const builder = openDatasetBuilder(allowEmpty ? { ...policies, emptyDocuments: 'count' } : policies)
  try {
    const isUnpacked = isZip(path)
    await format.load({ ...params, ...absolute, path: root }, builder.sink, { ...reading, isUnpacked })
    // Until the event loop turns, a finished stream is still on the stack, with everything that was made of its lines.
    await setImmediate()
    const dataset = builder.close(basename(path))
    const { labels } = absolute
    return labels === undefined ? dataset : withLabels(dataset, readLabelsFile(labels), labels)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const folder = statSync(root).isDirectory() ? root : dirname(root)
    throw new UserError(
      error.diagnostics.map((diagnostic) => ({
        ...diagnostic,
        file: diagnostic.file && shown(resolvePath(folder, diagnostic.file)),
      })),
    )
  } finally {
    close()
  }
}

/** True if a param's schema is a path. */
function isPath(schema: unknown): boolean {
  return (schema as z.ZodType).meta()?.path === true
}

/** Name of the format of a bare path. Throws a UserError if no format fits, or several do. */
export function detectFormat(path: string): string {
  return detect(path).format.name
}
