import type { Diagnostic } from '../errors.ts'
import type { Document, JudgedQuery } from '../types.ts'
import type { GoldSpan, JudgedUnit } from './types.ts'

/** Location in a dataset: a file relative to its folder, and a line from 1. */
export interface DataLocation {
  readonly file: string
  readonly line?: number
}

/** Receives the records of a dataset one by one. A format only parses; the sink checks that the records fit together. */
export interface DatasetSink {
  document(document: Document, location: DataLocation): void
  query(query: JudgedQuery, location: DataLocation): void
  qrel(qrel: Qrel, location: DataLocation): void
  /** Spans of one query with the same group are alternatives. */
  span(queryId: string, span: GoldSpan, location: DataLocation, group?: string): void
  /** Gold of a query that the files name and do not hold; `message` says so where missing gold is refused. */
  missing(queryId: string, gold: MissingGold, location: DataLocation): void
  /** A query that is judged in another split: left out without complaint. No id: any query may be, as a label could not be read. */
  elsewhere(queryId?: string): void
  diagnostic(diagnostic: Diagnostic): void
  notice(message: string): void
  /** Sets the unit that qrels name; `document` by default. */
  judged(unit: JudgedUnit): void
  /** Ids that were handed in so far. */
  readonly known: { query(id: string): boolean; document(id: string): boolean }
}

export interface MissingGold {
  /** Its name in the files, as a title. */
  readonly name: string
  readonly message: string
  readonly group?: string
}

export interface Qrel {
  readonly queryId: string
  readonly id: string
  readonly grade: number
  /** Qrels of one query with the same label are alternatives. */
  readonly group?: string
}
