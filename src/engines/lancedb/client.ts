/** The part of the API of `@lancedb/lancedb` in use; the package is optional. */

export interface Client {
  connect(uri: string): Promise<Database>
  readonly Index: {
    ivfRq(options: IvfOptions): Index
    ivfPq(options: IvfOptions): Index
    fts(): Index
  }
}

interface IvfOptions {
  readonly distanceType: 'cosine'
  readonly numPartitions: number | undefined
}

export interface Index {
  readonly inner?: unknown
}

interface Database {
  createTable(
    name: string,
    rows: Record<string, unknown>[],
    options: { readonly mode: 'overwrite' },
  ): Promise<LanceClientTable>
  openTable(name: string): Promise<LanceClientTable>
  /** Names in order, the first 10 unless `limit` is given. */
  tableNames(options?: { readonly limit: number }): Promise<string[]>
  dropTable(name: string): Promise<void>
}

export interface LanceClientTable {
  add(rows: Record<string, unknown>[]): Promise<unknown>
  createIndex(column: string, options: { readonly config: Index }): Promise<void>
  countRows(): Promise<number>
  indexStats(
    name: string,
  ): Promise<{ readonly numUnindexedRows: number; readonly distanceType?: string } | undefined>
  listIndices(): Promise<
    readonly { readonly name: string; readonly indexType: string; readonly columns: readonly string[] }[]
  >
  /** Grows with each change. */
  version(): Promise<number>
  query(): Query
  close(): void
}

export interface Query {
  nearestTo(vector: Float32Array): VectorQuery
  fullTextSearch(words: string, column?: string): Query
  /** Filters before the search. */
  where(condition: string): this
  limit(count: number): this
  select(columns: string[]): this
  toArray(): Promise<LanceHit[]>
}

interface VectorQuery extends Query {
  column(name: string): VectorQuery
  distanceType(name: 'cosine'): VectorQuery
  bypassVectorIndex(): VectorQuery
  nprobes(count: number): VectorQuery
  refineFactor(factor: number): VectorQuery
}

export interface LanceHit {
  readonly row: number
  /** Set by a vector search. */
  readonly _distance: number
  /** Set by a full-text search. */
  readonly _score: number
}
