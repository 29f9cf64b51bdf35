import type { Mistake } from '../errors.ts'
import type { Json } from '../types.ts'
import type { Path, Problem } from './problem.ts'
import type { Rewrite } from './resolved.ts'

/** Params as a config gives them, or with defaults filled in. */
export type Params = Readonly<Record<string, Json>>

/** Params tied to the content of the files that they name. */
export interface Pinned {
  readonly params: Params
  /** Hashes of the files that the params name, where the definition gives them. */
  readonly hashes?: Readonly<Record<string, string>>
}

/** What reading a config collects and needs on the way. */
export interface Reading {
  readonly problems: Problem[]
  /** The folder of the config. */
  readonly folder: string
  folderOf(path: Path): string
  /** File, line and column of what stands at a path. */
  placeOf(path: Path): Omit<Mistake, 'message'>
  /** No grid may have more points. */
  readonly limit: number
  /** Relative paths found, and what they became. */
  readonly resolved: Rewrite[]
  /** What definitions said of their params' files, by definition and params: hashing a model is done once. */
  readonly pinned: Map<string, Pinned>
}
