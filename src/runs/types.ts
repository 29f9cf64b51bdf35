import type { ColumnChoice, ColumnOptions, KnownIds } from '../tables/roles.ts'
import type { Qrels } from '../types.ts'

/** Rankings of a system, by query id. */
export interface Run {
  /** The tag in a TREC run, else the file's name. */
  readonly name: string
  readonly queries: ReadonlyMap<string, RunEntries>
}

/** Parallel; in the file's order, which says nothing: ranks follow from scores, equal ones by id bytes descending. */
export interface RunEntries {
  readonly ids: readonly string[]
  readonly scores: Float64Array
}

/** Qrels as a file holds them. */
export interface QrelsFile {
  readonly qrels: Qrels
  /** Query id -> judged id -> name of its OR-group; only where the file has groups. */
  readonly groups: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/** Counts of what a lenient reading skipped: `{"scores that are no numbers": 3}`. */
export type SkippedCounts = Readonly<Record<string, number>>

export interface ReadResult<T> {
  readonly value: T
  readonly notices: SkippedCounts
  /** Columns of a table whose names or layout left a choice, and its first record. */
  readonly read?: string
}

export interface ReadOptions {
  /** Reads what trec_eval would read, and counts it, where the strict reading refuses. */
  readonly lenient?: boolean
  /** True for known ids. An unknown id is an error; a lenient reading leaves it out and counts it. */
  readonly knows?: (id: string) => boolean
  /** Allows the same id several times in one ranking. */
  readonly keepsRepeats?: boolean
  /** Columns of a table, where its names and content do not decide. */
  readonly columns?: ColumnChoice
  /** The option or key that `columns` is; `--run-columns` or `--qrels-columns` if left out. */
  readonly say?: ColumnOptions['say']
  /** Ids of the other files; of several possible columns the one that shares ids with them is read. */
  readonly known?: KnownIds
}

/** A file's bytes, already unpacked. */
export interface RunSource {
  readonly path: string
  readonly bytes: Buffer
}

/** File format of runs and qrels. */
export interface RunFormat {
  readonly name: string
  readonly summary: string
  /** Extension with the dot. */
  readonly extension: string
  /** Unit of places in its files; `line` unless given. */
  readonly unit?: 'row'
  /** True if a file looks like this format. */
  detect(source: RunSource): boolean
  readonly readRun?: (source: RunSource, into: RunSink) => void | Promise<void>
  readonly readQrels?: (source: RunSource, into: QrelsSink) => void | Promise<void>
  /** Throws a UserError if the format cannot hold the content. */
  readonly writeRun?: (path: string, run: Run) => void | Promise<void>
  readonly writeQrels?: (path: string, file: QrelsFile) => void | Promise<void>
}

/**
 * Receives values as the file holds them; ids, scores and grades are parsed here, for all formats alike. `line` is
 * from 1, in Parquet the row; undefined where the format has none.
 */
export interface RunSink {
  readonly lenient: boolean
  readonly columns: ColumnOptions
  /** Records the columns that were chosen. */
  read(columns: string): void
  /** `rank` is only compared with the order of the scores. */
  entry(query: unknown, id: unknown, score: unknown, line?: number, rank?: number): void
  name(name: string): void
  diagnostic(message: string, line?: number): void
  notice(what: string): void
}

export interface QrelsSink {
  readonly lenient: boolean
  readonly columns: ColumnOptions
  /** Records the columns that were chosen. */
  read(columns: string): void
  qrel(query: unknown, id: unknown, grade: unknown, line?: number, group?: string): void
  diagnostic(message: string, line?: number): void
  notice(what: string): void
}

/** Gives a format's definition its type. */
export function defineRunFormat(format: RunFormat): RunFormat {
  return format
}
