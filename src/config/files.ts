import { existsSync } from 'node:fs'
import { basename, relative, resolve, sep } from 'node:path'
import type { Definition } from '../registry.ts'
import { canonical } from '../store/hash.ts'
import type { Json } from '../types.ts'
import type { JsonSchema } from './explain.ts'
import type { GridPoint } from './grid.ts'
import { attempt, type Params, type Path, type Pinned, type Reading } from './reading.ts'

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

/** Params with absolute paths; a missing file is a problem. */
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
      reading.problems.push({ path: paths[name], message: `there is no file or folder ${path}` })
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
