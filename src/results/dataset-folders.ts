import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** True if a folder holds an experiment over several datasets, finished or not. */
export function holdsDatasets(folder: string): boolean {
  return datasetFolders(folder) !== null
}

/** Folders of the datasets of an experiment, below its own; null if it is no experiment over several datasets. */
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
