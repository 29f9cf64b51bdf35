import { existsSync } from 'node:fs'
import { basename, relative, resolve, sep } from 'node:path'
import { UserError } from '../errors.ts'
import { canonical } from '../store/hash.ts'
import type { Json } from '../types.ts'
import type { Point } from './grid.ts'
import type { Definition } from './kinds.ts'
import type { PathParam } from './params.ts'
import type { Path } from './problem.ts'
import type { Params, Pinned, Reading } from './reading.ts'

/** Params that name files: their paths become absolute, their content becomes a hash. */

/** Which params do, see `pathParams`. */
export type Files = ReadonlyMap<string, PathParam>

/** A point's params with absolute paths; what is not there is a problem. */
export function absolutePaths(
  definition: Definition,
  files: Files,
  { params, paths }: Point,
  reading: Reading,
): Params {
  const absolute: Record<string, Json> = { ...params }
  for (const [name, how] of files) {
    const value = params[name]
    if (how === 'words' && Array.isArray(value)) absolute[name] = absoluteWords(value, paths[name], reading)
    if (typeof value !== 'string') continue
    const path = resolve(reading.folderOf(paths[name]), value)
    if (how === 'maybe' && !/^\.{0,2}[/\\]/.test(value) && !existsSync(path)) continue
    if (how === true && !looksItself(definition) && !existsSync(path))
      reading.problems.push({ path: paths[name], message: `there is no file or folder ${path}` })
    absolute[name] = path
    if (path !== value) reading.resolved.push({ path: paths[name], on: 'value', value: path })
  }
  return absolute
}

/** A command's words: those that are files beside the config become absolute, and a program with a slash in it. */
function absoluteWords(words: readonly Json[], path: Path, reading: Reading): Json[] {
  return words.map((word, place) => {
    if (typeof word !== 'string' || word === '') return word
    const at = [...path, place]
    const absolute = resolve(reading.folderOf(at), word)
    const isFile = place === 0 ? /[/\\]/.test(word) : existsSync(absolute)
    if (!isFile || absolute === word) return word
    reading.resolved.push({ path: at, on: 'value', value: absolute })
    return absolute
  })
}

/** Ties checked params to their files' content. Undefined where that is a problem. */
export function pinFiles(
  definition: Definition,
  files: Files,
  params: Params,
  point: Point,
  path: Path,
  reading: Reading,
): Pinned | undefined {
  if (!looksItself(definition)) return { params }
  const key = `${definition.name} ${canonical(params)}`
  const known = reading.pinned.get(key)
  if (known) return known
  try {
    const pinned = (definition.pin?.(params as never) as Params | undefined) ?? params
    const found = { params: pinned, hashes: definition.files?.(params as never) }
    reading.pinned.set(key, found)
    return found
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const name = [...files.keys()].find((param) => point.paths[param])
    const at = name === undefined ? path : point.paths[name]
    for (const { file, message } of error.mistakes)
      reading.problems.push({ path: at, message: file ? `${file}: ${message}` : message })
    return undefined
  }
}

/** Params as a hash may see them. Where content is hashed a path's last part will do; else it is taken relative to the config. */
export function portable(
  definition: Definition,
  files: Files,
  { params, hashes }: Pinned,
  folder: string,
): Params {
  if (files.size === 0 && !hashes) return params
  const short: Record<string, Json> = { ...params }
  for (const name of files.keys()) {
    const value = params[name]
    const shorten = (one: Json) => {
      if (typeof one !== 'string' || resolve(one) !== one) return one
      return looksItself(definition) ? basename(one) : relative(folder, one).split(sep).join('/')
    }
    short[name] = Array.isArray(value) ? value.map(shorten) : shorten(value)
  }
  return { ...short, ...(hashes ? { hashes } : {}) }
}

/** Whether a definition itself looks at the files that its params name, and says what is missing. */
function looksItself({ pin, files }: Definition): boolean {
  return pin !== undefined || files !== undefined
}
