import { statSync } from 'node:fs'
import { basename, dirname, resolve as resolvePath } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import { UserError } from '../errors.ts'
import { countsOf } from '../maps.ts'
import { resolve } from '../registry.ts'
import type { Document, Json, JudgedQuery } from '../types.ts'
import { openDatasetBuilder } from './builder.ts'
import { openRoot } from './detect.ts'
import type { DatasetFormat, Policies, Reading } from './format.ts'
import { datasetFormats } from './formats/index.ts'
import { readLabelsFile, withLabels } from './labels-file.ts'
import { readDataset } from './read.ts'
import type { Dataset } from './types.ts'
import { isZip } from './zip.ts'

/**
 * Loads and checks a dataset. `choice` is a format and its params, with paths relative to `baseDir`. Throws one UserError with
 * every error, each with its file (absolute) and line.
 */
export async function loadDataset(
  choice: FormatChoice,
  baseDir: string,
  reading: Reading = {},
): Promise<Dataset> {
  const { definition: format, params } = await resolveFormat(choice)
  const path = resolvePath(baseDir, String(params.path))
  const files = Object.entries(format.params.shape).filter(([name, schema]) => isPath(schema) && params[name])
  const absolute = Object.fromEntries(
    files.map(([name]) => [name, resolvePath(baseDir, String(params[name]))]),
  )
  const { root, shown, close } = openRoot(path, format)
  const builder = openDatasetBuilder(params as unknown as Policies)
  try {
    const isUnpacked = isZip(path)
    await readDataset(format, { ...params, ...absolute, path: root }, builder.sink, {
      ...reading,
      isUnpacked,
    })
    // Until the event loop turns, a finished stream holds all that was made of its lines.
    await setImmediate()
    const dataset = inScope(builder.close(basename(path)), format, path)
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

/** The dataset with its format's scope if the documents have several values of it. Throws a UserError for a query of none. */
function inScope(dataset: Dataset, { scope, clusters }: DatasetFormat, file: string): Dataset {
  if (scope === undefined) return dataset
  const scopeOf = ({ metadata }: Document | JudgedQuery) => JSON.stringify(metadata[scope] ?? null)
  const sizes = countsOf(dataset.documents.map(scopeOf))
  let searched = 0
  for (const query of dataset.queries) {
    const size = sizes.get(scopeOf(query))
    const message = `query "${query.id}" searches the ${scope} ${scopeOf(query)}, of which there is no document`
    if (size === undefined) throw new UserError(message, file)
    searched += size / dataset.queries.length
  }
  return sizes.size > 1 ? { ...dataset, scope, clusters, searched } : dataset
}

interface FormatChoice {
  readonly name: string
  readonly params: Readonly<Record<string, Json>>
  readonly file?: { readonly path: string; readonly sha256: string }
}

async function resolveFormat({ name, params, file }: FormatChoice) {
  if (!file) return resolve(datasetFormats, { name, params })
  const [{ loadCustom }, { customFormat }] = await Promise.all([
    import('../custom/load.ts'),
    import('./custom-format.ts'),
  ])
  const definition = await loadCustom(file.path, customFormat, file.sha256)
  return resolve(datasetFormats, { name, params, definition })
}

function isPath(schema: unknown): boolean {
  return (schema as z.ZodType).meta()?.path === true
}
