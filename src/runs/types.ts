import type { KnownIds } from '../tables/roles.ts'
import type { Qrels } from '../types.ts'

export interface Run {
  /** The tag in a TREC run, else the file's name. */
  readonly name: string
  readonly queries: ReadonlyMap<string, RunEntries>
}

/** Parallel lists in the file's order. Ranks follow from scores, equal ones by id bytes descending. */
export interface RunEntries {
  readonly ids: readonly string[]
  readonly scores: Float64Array
}

export interface QrelsFile {
  readonly qrels: Qrels
  /** Query id -> judged id -> name of its OR-group; only where the file has groups. */
  readonly groups: ReadonlyMap<string, ReadonlyMap<string, string>>
}

export type SkippedCounts = Readonly<Record<string, number>>

export interface ReadResult<T> {
  readonly value: T
  readonly notices: SkippedCounts
  /** Columns of a table whose names or layout left a choice, and its first record. */
  readonly read?: string
}

export interface ReadOptions {
  /** True for known ids. An unknown id is an error. */
  readonly knows?: (id: string) => boolean
  readonly keepsRepeats?: boolean
  /** Ids of the other files: of several possible columns the one that shares ids with them is read. */
  readonly known?: KnownIds
}

export interface RunSource {
  readonly path: string
  /** First 64 kB as text. */
  readonly head: string
  readonly isParquet: boolean
  readonly isJson: boolean
  /** Throws a UserError with the first line that is not UTF-8. */
  text(): string
}

export const FILE_KINDS = ['run', 'qrels'] as const
export type FileKind = (typeof FILE_KINDS)[number]

export interface RunFormat {
  readonly name: string
  readonly summary: string
  readonly extension: string
  /** Unit of places in its files; `line` unless given. */
  readonly unit?: 'row'
  detect(source: RunSource): boolean
  read(source: RunSource, into: RowSink, kind: FileKind): void | Promise<void>
  readonly writes: readonly FileKind[]
  /** True if its qrels have a place for OR-groups. */
  readonly hasGroups?: boolean
  /** Throws a UserError for an id that the format cannot hold. */
  write(path: string, rows: readonly WrittenRow[], kind: FileKind): void | Promise<void>
}

export interface WrittenRow {
  readonly query: string
  readonly id: string
  readonly value: number
  /** Name of the run, or OR-group of the label; '' without one. */
  readonly extra: string
}

/** Receives rows as the file holds them, and parses ids, scores and grades for all formats alike. */
export interface RowSink {
  readonly known?: KnownIds
  read(columns: string): void
  /**
   * `value`: score or grade; `line`: from 1, in Parquet the row; `extra`: name of the run, or OR-group of the label;
   * `rank`: only compared with the order of the scores.
   */
  take(query: unknown, id: unknown, value: unknown, line?: number, extra?: string, rank?: number): void
  diagnostic(message: string, line?: number): void
  notice(what: string): void
}
