import type { CustomFile } from '../custom/load.ts'
import { type Diagnostic, diagnosticsOf, formatDiagnostic } from '../errors.ts'
import type { Named } from '../registry.ts'
import { isMap } from '../text/json.ts'
import { valueAt } from '../text/schema-words.ts'
import type { Json } from '../types.ts'
import type { NamedGroup, NamedKind } from './model-names.ts'

/** Keys and list indexes from the top of the config: `['trials', 2, 'hybrid', 'alpha']`. */
export type Path = readonly (string | number)[]

/** File, line and column of what a config says. */
export type ConfigLocation = Omit<Diagnostic, 'message'>

/** An error before its location in the file is known. */
export interface Problem {
  readonly path: Path
  /** Target of the location: the key, or its value (the default). */
  readonly on?: 'key' | 'value'
  readonly message: string
}

/** Replacement in the config, as an absolute path for a relative one; `on: key` replaces a map's key. */
interface Rewrite {
  readonly path: Path
  readonly on: 'key' | 'value'
  readonly value: Json
}

/** Params as a config gives them, or with defaults filled in. */
export type Params = Readonly<Record<string, Json>>

/** Params tied to the content of the files that they name. */
export interface Pinned {
  readonly params: Params
  /** Hashes of the files that the params name, where the definition gives them. */
  readonly hashes?: Readonly<Record<string, string>>
}

/** A definition that the config names by its file, loaded. */
export interface LoadedFile<D> extends CustomFile {
  readonly definition: D
}

/** State of reading a config: problems found, files loaded, models known. */
export interface Reading {
  readonly problems: Problem[]
  /** The folder of the config. */
  readonly folder: string
  /** Folder that relative paths at `path` are relative to. */
  folderOf(path: Path): string
  /** Location of the value at a path. */
  locate(path: Path): ConfigLocation
  readonly rewrites: Rewrite[]
  /** The definitions that the config names by file, by kind and path; undefined where a file is a problem. */
  readonly customFiles: Map<string, LoadedFile<Named> | undefined>
  /** Pinned params by definition and params: a model's files are hashed once. */
  readonly pinned: Map<string, Pinned>
  /** Models, rerankers and engines. */
  readonly named: Readonly<Record<NamedKind, NamedGroup>>
}

/** Errors of the user as problems at `path`, each with its place in a file that the config names. Rethrows a bug. */
export function problemsOf(error: unknown, path: Path): Problem[] {
  return diagnosticsOf(error).map((diagnostic) => ({ path, message: formatDiagnostic(diagnostic) }))
}

/** Result of `read`; undefined after errors of the user, which become problems at `path`. */
export function attempt<T>(read: () => T, path: Path, problems: Problem[]): T | undefined {
  try {
    return read()
  } catch (error) {
    problems.push(...problemsOf(error, path))
    return undefined
  }
}

/** `prepare.chunk`, `trials.2.hybrid`. */
export function showPath(path: Path): string {
  return path.join('.')
}

/** The config with the rewrites made. Keys are renamed last, so that the paths of values below them still hold. */
export function rewritten(config: Json, rewrites: readonly Rewrite[]): Json {
  const copy = JSON.parse(JSON.stringify(config))
  const ordered = [...rewrites].sort((a, b) => Number(a.on === 'key') - Number(b.on === 'key'))
  for (const { path, on, value } of ordered) {
    const parent = valueAt(copy, path.slice(0, -1))
    const last = path.at(-1) as string | number
    if (on === 'value') {
      // `{recorded: FILE}` is short for `{recorded: {path: FILE}}`.
      const isShort = typeof parent === 'string'
      const holder = isShort ? valueAt(copy, path.slice(0, -2)) : parent
      if (typeof holder === 'object' && holder !== null)
        (holder as Record<string | number, unknown>)[isShort ? (path.at(-2) as string) : last] = value
    } else if (isMap(parent)) {
      const entries = Object.entries(parent)
      for (const [key] of entries) delete parent[key]
      for (const [key, item] of entries) parent[key === last ? String(value) : key] = item
    }
  }
  return copy
}
