import { resolve } from 'node:path'
import { type CustomKind, loadCustom } from '../custom/load.ts'
import { UserError } from '../errors.ts'
import type { Named, Registry } from '../registry.ts'
import { hashFile } from '../store/input.ts'
import { withArticle } from '../text/article.ts'
import { isMap, type LoadedFile, type Path, type Reading } from './reading.ts'

/** Where definitions may stand: those of a registry by name and, where it has a kind, somebody's own by file. */
export interface ChoiceSource<D extends Named = Named> {
  readonly registry: Registry<D>
  readonly custom?: CustomKind<D>
}

/** A file's name in the config; `rest` is what follows it there. */
export interface NamedFile {
  readonly name: string
  readonly rest?: string
  readonly path: Path
  readonly on: 'key' | 'value'
}

/** What collects and locates while files are loaded. */
export type Loading = Pick<Reading, 'folderOf' | 'own' | 'problems' | 'rewrites'>

/** Whether what a config names is a file. */
export function isFile(name: string): boolean {
  return /^\.{0,2}\/|\.(mjs|js|ts)$/.test(name)
}

/** The files that a choice, a list or a grid of choices at `path` names. */
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

/** Loads the files, each once. What is wrong with one is a problem. */
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
    if (reading.own.has(key)) continue
    reading.own.set(key, undefined)
    try {
      const sha256 = hashFile(absolute, withArticle(kind.word))
      const definition = await loadCustom(absolute, kind)
      if (registry.names.includes(definition.name))
        throw new UserError(
          `${name} calls itself \`${definition.name}\`, which is ${withArticle(kind.word)} already; give it another name`,
        )
      reading.own.set(key, { path: absolute, sha256, definition })
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      reading.problems.push({ path, on, message: error.message })
    }
  }
}

/** The definition in the file that the config names at `path`, if it could be loaded. */
export function customFile<D extends Named>(
  name: string,
  path: Path,
  kind: CustomKind<D>,
  reading: Pick<Reading, 'folderOf' | 'own'>,
): LoadedFile<D> | undefined {
  const found = reading.own.get(keyOf(kind, resolve(reading.folderOf(path), name)))
  return found as LoadedFile<D> | undefined
}

/** A file may be asked for as two kinds: as one of them it is a problem. */
function keyOf({ word }: { readonly word: string }, path: string): string {
  return `${word} ${path}`
}
