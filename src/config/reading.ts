import type { Choice } from '../corpus/recipe.ts'
import type { CustomFile } from '../custom/load.ts'
import { type Diagnostic, diagnosticsOf, formatDiagnostic } from '../errors.ts'
import type { Named } from '../registry.ts'
import { isMap } from '../text/json.ts'
import { valueAt } from '../text/schema-words.ts'
import type { Json } from '../types.ts'

/** Keys and indexes from the top: `['trials', 2, 'hybrid', 'alpha']`. */
export type Path = readonly (string | number)[]

export type ConfigLocation = Omit<Diagnostic, 'message'>

export interface Problem {
  readonly path: Path
  /** Default: the value. */
  readonly on?: 'key' | 'value'
  readonly message: string
}

interface Rewrite {
  readonly path: Path
  readonly on: 'key' | 'value'
  readonly value: Json
}

export type Params = Readonly<Record<string, Json>>

export interface Pinned {
  readonly params: Params
  readonly hashes?: Readonly<Record<string, string>>
}

export interface LoadedFile<D> extends CustomFile {
  readonly definition: D
}

/** Kinds that a param may name (`.meta({ model: true })`), with their key in the config. */
export const NAMED_KEYS = { model: 'models', reranker: 'rerankers', engine: 'engines' } as const
export type NamedKind = keyof typeof NAMED_KEYS

export type NamedChoices = Map<string, { readonly choice: Choice; readonly content: Json }>

interface NamedGroup {
  readonly raw: Record<string, unknown>
  readonly known: NamedChoices
}

export interface Reading {
  readonly problems: Problem[]
  readonly folder: string
  /** Folder that paths at `path` are relative to. */
  folderOf(path: Path): string
  locate(path: Path): ConfigLocation
  readonly rewrites: Rewrite[]
  readonly customFiles: Map<string, LoadedFile<Named> | undefined>
  /** Keyed by definition and params: files are hashed once. */
  readonly pinned: Map<string, Pinned>
  readonly named: Readonly<Record<NamedKind, NamedGroup>>
}

/** Adds a problem; `key` locates it at the key instead of the value. */
export function refuse(problems: Problem[], path: Path, message: string, key?: 'key'): undefined {
  problems.push({ path, ...(key && { on: key }), message })
}

/** A user's errors as problems at `path`. Rethrows a bug. */
export function problemsOf(error: unknown, path: Path): Problem[] {
  return diagnosticsOf(error).map((diagnostic) => ({ path, message: formatDiagnostic(diagnostic) }))
}

/** Result of `read`; undefined if the user's errors became problems. */
export function attempt<T>(read: () => T, path: Path, problems: Problem[]): T | undefined {
  try {
    return read()
  } catch (error) {
    problems.push(...problemsOf(error, path))
    return undefined
  }
}

export function showPath(path: Path): string {
  return path.join('.')
}

/** The config after the rewrites. Keys are renamed last, so that paths below them hold. */
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
