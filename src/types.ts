/** The words of the product, as data. Everything here is plain data: no behaviour, no imports. */

/** Any value that JSON can hold; what params, keys and metadata are made of. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json | undefined }

/** A source text (BEIR's name). `text` excludes the title. */
export interface Document {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly metadata: Readonly<Record<string, Json>>
}

/** The retrieval unit: a piece of a document. `start` and `end` are UTF-16 offsets into the document's text. */
export interface Chunk {
  readonly id: string
  readonly documentId: string
  /** Place among the document's chunks, from 0. */
  readonly position: number
  readonly start: number
  readonly end: number
  /** Headings above the chunk, outermost first. */
  readonly section: readonly string[]
  readonly title: string
  readonly text: string
  /** o200k tokens of title and text together: what the chunk costs in a context. */
  readonly tokens: number
  readonly metadata: Readonly<Record<string, Json>>
}

/** Question as a strategy sees it. `lexical` is set if a transform changed the lexical side only. */
export interface Query {
  readonly id: string
  readonly text: string
  readonly lexical?: string
  readonly metadata: Readonly<Record<string, Json>>
}

/** Question as the dataset holds it; answers and category never reach a strategy. */
export interface JudgedQuery extends Query {
  readonly category: string | null
  readonly answers: readonly string[]
  /** Statements that support the answer, in the words of who wrote the question; absent if the dataset has none. */
  readonly evidence?: readonly string[]
  /** `false` where no gold can exist; such queries are left out of retrieval means. */
  readonly answerable: boolean
}

/** Qrels: query id -> judged id -> grade. A grade of 1 or more is relevant. */
export type Qrels = ReadonlyMap<string, ReadonlyMap<string, number>>

/**
 * Best first, rows unique, both arrays equally long. A row is a chunk's index in the corpus sorted by id bytes;
 * equal scores: higher row first, which is trec_eval's order (ties by id, descending).
 */
export interface Ranking {
  readonly rows: Uint32Array
  readonly scores: Float64Array
  /** Known of what a search over the chunks lists. */
  readonly extremes?: Extremes
  /** Calls of an agent that found these chunks; absent for one search, which is one call. */
  readonly calls?: readonly Call[]
}

/** Call of a search tool in a trajectory. */
export interface Call {
  readonly tool: string
  readonly input: string
  /** Rows of the chunks that were read, in order; they may repeat those of other calls. */
  readonly rows: readonly number[]
  /** Tokens that were read; those of the chunks if absent. */
  readonly tokens?: number | undefined
  readonly ms?: number | undefined
}

/** Between what a search's scores of all chunks lie, listed or not; a chunk that it does not find has 0. */
export interface Extremes {
  readonly min: number
  readonly max: number
}

/** Text that a strategy adds to its chunks in the context: counted in tokens and cost, never scored as a passage. */
export interface Evidence {
  readonly kind: 'entity' | 'relationship' | 'report' | 'summary'
  readonly id: string
  readonly text: string
  /** o200k tokens of `text`. */
  readonly tokens: number
}

/** Result of one trial for one query. */
export interface Retrieval {
  readonly ranking: Ranking
  readonly evidence: readonly Evidence[]
}

/** Through which kind of search a chunk was found; `external` is another system's, `corpus` none: taken without a search. */
export type Channel = 'dense' | 'lexical' | 'graph' | 'external' | 'corpus'

/** The tokenizer of a model, which tells whether a text is longer than the model reads. */
export interface TextReader {
  /** The model's name in reports. */
  readonly model: string
  /** The most tokens that the model reads, with those that it puts around a text. */
  readonly limit: number
  /** Tokens that the model puts around a text, or around two. */
  readonly around: number
  /** Tokens of a text, or of two that are read together, with those around them. */
  count(text: string, pair?: string): number
}

/** Tells of work that takes a while: `done` of `total` units so far. */
export type Progress = (what: string, done: number, total: number) => void

/** Queries that share gold with another one. */
export interface SharedGold {
  readonly by: 'gold' | 'document'
  readonly queries: number
  readonly groups: number
  /** Queries of the largest group. */
  readonly largest: number
}
