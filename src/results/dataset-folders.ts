import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Whether a folder is that of an experiment over several data sets, finished or not. */
export function holdsDatasets(folder: string): boolean {
  return datasetFolders(folder) !== null
}

/** The folders of an experiment over several data sets, below its own; null where it is none. */
export function datasetFolders(folder: string): readonly string[] | null {
  const file = join(resolve(folder), 'plan.json')
  if (!existsSync(file)) return null
  try {
    const { datasets } = JSON.parse(readFileSync(file, 'utf8')) as { datasets?: unknown }
    return Array.isArray(datasets) ? datasets.map(String) : null
  } catch {
    return null
  }
}
