import { resolve } from 'node:path'
import { type CustomKind, loadCustom } from '../custom/load.ts'
import { UserError } from '../errors.ts'
import type { Named, Registry } from '../registry.ts'
import { hashFile } from '../store/input.ts'
import { isMap } from '../text/json.ts'
import { withArticle } from '../text/schema-words.ts'
import type { LoadedFile, Path, Reading } from './reading.ts'

/** A registry by name and, if there is a kind, custom files by path. */
export interface ChoiceSource<D extends Named = Named> {
  readonly registry: Registry<D>
  readonly custom?: CustomKind<D>
}

/** File that a config names; `rest` follows it there. */
export interface NamedFile {
  readonly name: string
  readonly rest?: string
  readonly path: Path
  readonly on: 'key' | 'value'
}

export type Loading = Pick<Reading, 'folderOf' | 'customFiles' | 'problems' | 'rewrites'>

/** End of a custom file's name. */
export const CODE_FILE = '\\.(?:mjs|js|mts|ts)'

const CODE = new RegExp(`^\\.{0,2}/|${CODE_FILE}$`)

export function isFile(name: string): boolean {
  return CODE.test(name)
}

/** Files named by a choice, a list or a grid. */
export function filesIn(raw: unknown, path: Path): NamedFile[] {
  if (typeof raw === 'string') return isFile(raw) ? [{ name: raw, path, on: 'value' }] : []
  if (Array.isArray(raw)) return raw.flatMap((item, index) => filesIn(item, [...path, index]))
  if (!isMap(raw)) return []
  if ('grid' in raw) {
    const { grid } = raw
    if (!isMap(grid)) return filesIn(grid, [...path, 'grid'])
    return Object.entries(grid).flatMap(([label, item]) => filesIn(item, [...path, 'grid', label]))
  }
  const names = Object.keys(raw).filter(isFile)
  return names.map((name) => ({ name, path: [...path, name], on: 'key' }))
}

export async function loadCustomFiles<D extends Named>(
  named: readonly NamedFile[],
  { registry, custom: kind }: ChoiceSource<D>,
  reading: Loading,
): Promise<void> {
  if (!kind) return
  for (const { name, rest = '', path, on } of named) {
    const absolute = resolve(reading.folderOf(path), name)
    if (absolute !== name) reading.rewrites.push({ path, on, value: absolute + rest })
    const key = keyOf(kind, absolute)
    if (reading.customFiles.has(key)) continue
    reading.customFiles.set(key, undefined)
    try {
      const sha256 = hashFile(absolute, withArticle(kind.word))
      const definition = await loadCustom(absolute, kind)
      if (registry.names.includes(definition.name))
        throw new UserError(
          `${name} calls itself \`${definition.name}\`, which is ${withArticle(kind.word)} already; give it another name`,
        )
      reading.customFiles.set(key, { path: absolute, sha256, definition })
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      reading.problems.push({ path, on, message: error.message })
    }
  }
}

export function customFile<D extends Named>(
  name: string,
  path: Path,
  kind: CustomKind<D>,
  reading: Pick<Reading, 'folderOf' | 'customFiles'>,
): LoadedFile<D> | undefined {
  const found = reading.customFiles.get(keyOf(kind, resolve(reading.folderOf(path), name)))
  return found as LoadedFile<D> | undefined
}

function keyOf({ word }: { readonly word: string }, path: string): string {
  return `${word} ${path}`
}
