import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UserError } from '../errors.ts'
import { unsealed } from '../store/hash.ts'
import { changed } from './finished.ts'

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
