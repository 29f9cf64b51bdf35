import type { z } from 'zod'
import { UserError } from '../errors.ts'
import type { Definition } from '../registry.ts'
import type { Artifact } from '../store/artifact.ts'
import type { TermCounts } from '../text/term-counts.ts'
import type { Analyzer, AnalyzerParams } from '../text/tokenize.ts'
import { quoted } from './vector-problem.ts'

/** Turns texts into vectors. Every adapter gives the same vector for a text, alone or in any batch. */
export interface Embedder {
  /** Name in reports and table metadata: the adapter and its model. */
  readonly model: string
  readonly dims: number
  readonly embed: Embedding
}

/**
 * Row after row of L2-normalised float32, `texts.length * dims` long; a zero row where the embedder knows nothing of a
 * text. `progress` hears how many of the texts that really must be embedded are. Asked to stop (`stopping.ts`), it may give
 * the vectors of the first texts only. Requests to a server end with the reason of `signal` where that is aborted.
 */
export type Embedding = (
  texts: readonly string[],
  progress?: (done: number, total: number) => void,
  signal?: AbortSignal,
) => Promise<Float32Array>

/** A text that a server refuses to embed. `position`: index of the text among those given; `owner`: as `query q3`. */
export class RefusedText extends UserError {
  readonly position: number
  readonly text: string
  readonly reason: string

  constructor(position: number, text: string, reason: string, owner?: string) {
    super(
      `${owner === undefined ? '' : `${owner}: `}the server of the embedder refuses the text ${quoted(text)}: ${reason}`,
    )
    this.position = position
    this.text = text
    this.reason = reason
  }
}

/** Role of a text: a query or a passage. Some models treat the two differently. */
export type Role = 'query' | 'passage'

export type Prefix = Readonly<Record<Role, string>>

/**
 * Changes to texts before the model and to vectors after it. They are not the model's, so its vectors are stored
 * once.
 */
export interface Around {
  readonly prefix?: Prefix
  readonly cut?: number
}

/** Requests that a server gets at once. */
export interface Requests {
  readonly atOnce: number
  /** Texts of a request. */
  readonly texts: number
}

/** Corpus data that an embedder may be fitted on. */
interface FittingCorpus {
  /** The words of the chunks, counted after one analysis, and how any text becomes such words. */
  terms(analysis: AnalyzerParams): {
    readonly counts: Artifact<TermCounts>
    readonly analyze: Artifact<Analyzer>
  }
}

/** An adapter: one file in src/models/embedders. */
export interface EmbedderDefinition<S extends z.ZodObject = z.ZodObject> extends Definition<S> {
  /** Number of texts between two part files of vectors: some seconds of work. */
  readonly batch: number
  /** Most requests at once, and texts of each; only of an embedder behind a server. */
  requests?(params: z.output<S>): Requests
  /** Changes to texts and vectors. */
  around?(params: z.output<S>): Around
  /** The embedder as an artifact; `params` are checked and pinned. `role` matters only to servers that take it. */
  artifact(params: z.output<S>, corpus: FittingCorpus, role?: Role): Artifact<Embedder>
}

/** Gives an adapter's definition its types. */
export function defineBuiltInEmbedder<S extends z.ZodObject>(
  definition: EmbedderDefinition<S>,
): EmbedderDefinition<S> {
  return definition
}
