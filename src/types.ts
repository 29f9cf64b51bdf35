/** Words of the product as plain data. */

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

/** Piece of a document. `start` and `end` are UTF-16 offsets into its text. */
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
  /** o200k tokens of title and text: the cost in a context. */
  readonly tokens: number
  readonly metadata: Readonly<Record<string, Json>>
}

/** `lexical` is set if a transform changed the lexical side only. */
export interface Query {
  readonly id: string
  readonly text: string
  readonly lexical?: string
  readonly metadata: Readonly<Record<string, Json>>
}

/** Answers and category never reach a strategy. */
export interface JudgedQuery extends Query {
  readonly category: string | null
  readonly answers: readonly string[]
  /** Statements that support the answer, by the question's author; absent if the dataset has none. */
  readonly evidence?: readonly string[]
  /** `false` if no gold can exist; such queries are left out of retrieval means. */
  readonly answerable: boolean
}

/** Query id -> judged id -> grade. 1 or more is relevant. */
export type Qrels = ReadonlyMap<string, ReadonlyMap<string, number>>

/**
 * Best first, rows unique. A row is a chunk's index in the corpus sorted by id bytes; of equal scores the higher
 * row is first, as in trec_eval.
 */
export interface Ranking {
  readonly rows: Uint32Array
  readonly scores: Float64Array
  /** Known of what a search over the chunks lists. */
  readonly extremes?: Extremes
  /** Calls of an agent that found these chunks; absent for one search. */
  readonly calls?: readonly Call[]
}

/** Call of a search tool in a trajectory. */
export interface Call {
  readonly tool: string
  readonly input: string
  /** Rows of the chunks that were read, in order; may repeat. */
  readonly rows: readonly number[]
  /** Tokens that were read; those of the chunks if absent. */
  readonly tokens?: number | undefined
  readonly ms?: number | undefined
}

/** Bounds of a search's scores of all chunks; a chunk that it does not find has 0. */
export interface Extremes {
  readonly min: number
  readonly max: number
}

/** Text that a strategy adds to the context: counted in tokens and cost, never scored. */
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

/** Kind of search that found a chunk; `external`: another system's; `corpus`: none. */
export type Channel = 'dense' | 'lexical' | 'graph' | 'external' | 'corpus'

/** Tokenizer of a model, which tells if a text is too long for it. */
export interface TextReader {
  /** The model's name in reports. */
  readonly model: string
  /** Most tokens that the model reads, with its own. */
  readonly limit: number
  /** Tokens that the model puts around a text, or around two. */
  readonly around: number
  /** Tokens of a text, or of two, with those around them. */
  count(text: string, pair?: string): number
}

/** Reports long work: `done` of `total` units. */
export type Progress = (what: string, done: number, total: number) => void

/** Queries that share gold with another one. */
export interface SharedGold {
  readonly by: 'gold' | 'document'
  readonly queries: number
  readonly groups: number
  /** Queries of the largest group. */
  readonly largest: number
}
