import { existsSync } from 'node:fs'
import { basename, relative, resolve, sep } from 'node:path'
import { type CustomKind, loadCustom } from '../custom/load.ts'
import { UserError } from '../errors.ts'
import type { Definition, Named, Registry } from '../registry.ts'
import { canonical } from '../store/hash.ts'
import { hashFile } from '../store/input.ts'
import { isMap } from '../text/json.ts'
import { withArticle } from '../text/schema-words.ts'
import type { Json } from '../types.ts'
import type { JsonSchema } from './explain.ts'
import type { GridPoint } from './grid.ts'
import {
  attempt,
  type LoadedFile,
  type Params,
  type Path,
  type Pinned,
  type Reading,
  refuse,
} from './reading.ts'

/** A registry by name and, if there is a kind, custom files by path. */
export interface ChoiceSource<D extends Named = Named> {
  readonly registry: Registry<D>
  readonly custom?: CustomKind<D>
}

export interface NamedFile {
  readonly name: string
  readonly rest?: string
  readonly path: Path
  readonly on: 'key' | 'value'
}

export type Loading = Pick<Reading, 'folderOf' | 'customFiles' | 'problems' | 'rewrites'>

export const CODE_FILE = '\\.(?:mjs|js|mts|ts)'

const CODE = new RegExp(`^\\.{0,2}/|${CODE_FILE}$`)

export function isFile(name: string): boolean {
  return CODE.test(name)
}

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
  const loaded = reading.customFiles.get(keyOf(kind, resolve(reading.folderOf(path), name)))
  return loaded as LoadedFile<D> | undefined
}

function keyOf({ word }: { readonly word: string }, path: string): string {
  return `${word} ${path}`
}

type Files = ReadonlyMap<string, true | 'maybe' | readonly string[]>

/**
 * Params that name files: `path`, and those with `.meta({ path: true })`. `path: 'maybe'` also allows another name, as
 * of a model on a hub; a list has the names that are no paths.
 */
export function pathParams(properties: ReadonlyMap<string, JsonSchema>): Files {
  return new Map(
    [...properties].flatMap(([name, { path = name === 'path' }]) =>
      path === true || path === 'maybe' || Array.isArray(path) ? [[name, path] as const] : [],
    ),
  )
}

export function absolutePaths(
  definition: Definition,
  files: Files,
  { params, paths }: GridPoint,
  reading: Reading,
): Params {
  const absolute: Record<string, Json> = { ...params }
  for (const [name, how] of files) {
    const value = params[name]
    if (typeof value !== 'string' || (Array.isArray(how) && how.includes(value))) continue
    const path = resolve(reading.folderOf(paths[name]), value)
    if (how === 'maybe' && !/^\.{0,2}[/\\]/.test(value) && !existsSync(path)) continue
    if (how !== 'maybe' && !checksFiles(definition) && !existsSync(path))
      refuse(reading.problems, paths[name], `there is no file or folder ${path}`)
    absolute[name] = path
    if (path !== value) reading.rewrites.push({ path: paths[name], on: 'value', value: path })
  }
  return absolute
}

/** Ties params to their files' content; `content` is for hashes. Undefined after a problem. */
export function pinFiles(
  definition: Definition,
  files: Files,
  checked: Params,
  point: GridPoint,
  path: Path,
  reading: Reading,
): { params: Params; content: Params } | undefined {
  const key = checksFiles(definition) ? `${definition.name} ${canonical(checked)}` : ''
  let pinned = key ? reading.pinned.get(key) : { params: checked }
  if (!pinned) {
    const name = [...files.keys()].find((param) => point.paths[param])
    const pin = () => ({
      params: (definition.pin?.(checked) as Params | undefined) ?? checked,
      hashes: definition.files?.(checked),
    })
    pinned = attempt(pin, name === undefined ? path : point.paths[name], reading.problems)
    if (!pinned) return undefined
    reading.pinned.set(key, pinned)
  }
  return { params: pinned.params, content: portable(definition, files, pinned, reading.folder) }
}

/** Params for hashes: the last part of a path whose content is hashed, else the path relative to the config. */
function portable(definition: Definition, files: Files, { params, hashes }: Pinned, folder: string): Params {
  if (files.size === 0 && !hashes) return params
  const short: Record<string, Json> = { ...params }
  for (const name of files.keys()) {
    const value = params[name]
    if (typeof value !== 'string' || resolve(value) !== value) continue
    short[name] = checksFiles(definition) ? basename(value) : relative(folder, value).split(sep).join('/')
  }
  return { ...short, ...(hashes ? { hashes } : {}) }
}

/** True if the definition reads its files itself and reports missing ones. */
function checksFiles({ pin, files }: Definition): boolean {
  return pin !== undefined || files !== undefined
}
