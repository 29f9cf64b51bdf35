import { UserError } from '../errors.ts'
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
 * text. `progress` counts the texts that must be embedded. Asked to stop, it may give the vectors of the first texts
 * only. Requests end with the reason of `signal`.
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

/** Changes to texts and vectors that are not the model's, so that its vectors are stored once. */
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
