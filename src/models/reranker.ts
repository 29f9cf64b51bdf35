import type { z } from 'zod'
import type { Definition } from '../registry.ts'
import type { Artifact } from '../store/artifact.ts'
import type { TermCounts } from '../text/term-counts.ts'
import type { Analyzer } from '../text/tokenize.ts'
import type { Query } from '../types.ts'
import type { Embedder } from './embedder.ts'
import type { EmbedderChoice } from './embedder-choice.ts'
import type { RerankWire } from './rerank-endpoint.ts'

/** Scores chunks that a search found for a query, by their rows, in the order of the search. */
export interface Reranker {
  /** One score a row, in their order; greater is better. A row's score must not depend on the others. */
  score(query: Query, rows: Uint32Array): ArrayLike<number> | Promise<ArrayLike<number>>
}

export interface RerankerDefinition<S extends z.ZodObject = z.ZodObject> extends Definition<S> {
  /** Embedder of a reranker that compares vectors; `prepare.embedder` if undefined. */
  readonly embeds?: (params: z.output<S>) => EmbedderChoice | undefined
  /** Reranker that computes scores here. Exactly one of this and `wire` is present. */
  artifact?(params: z.output<S>, corpus: RerankedCorpus): Artifact<Reranker>
  /** Wire format of a reranker behind a server; its params are `endpointParams`. */
  readonly wire?: RerankWire
}

/** Corpus data that a reranker may read. Row = chunk row. */
interface RerankedCorpus {
  /** Title and text. */
  readonly texts: Artifact<readonly string[]>
  /** The words of the indexed texts, counted, and how any text becomes such words. */
  terms(): { readonly counts: Artifact<TermCounts>; readonly analyze: Artifact<Analyzer> }
  vectors(choice?: EmbedderChoice): {
    readonly embedder: Artifact<Embedder>
    readonly chunks: Artifact<{ cosines(rows: ArrayLike<number>, vector: Float32Array): Float32Array }>
  }
}

export function defineReranker<S extends z.ZodObject>(
  definition: RerankerDefinition<S>,
): RerankerDefinition<S> {
  return definition
}
