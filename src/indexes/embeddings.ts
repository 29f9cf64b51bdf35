import type { Artifact } from '../store/artifact.ts'
import type { Store } from '../store/store.ts'
import type { Choice, Recipe } from './recipe.ts'

export interface Embeddings {
  /** One L2-normalised vector a text, in order; a zero row where the embedder knows nothing of a text. */
  readonly matrix: Float32Array
  readonly dims: number
  readonly model: string
}

/** The vectors of `texts`, one a text, in order. `name` says of what, as `chunks` or `entities`; it names the artifact's folder. */
export function embedTexts(
  _recipe: Recipe,
  _name: string,
  _texts: Artifact<readonly string[]>,
  _choice?: Choice,
): Artifact<Embeddings> {
  throw new Error('being written')
}

/** How many texts preparing these embeddings would embed; undefined where the texts themselves are not prepared yet. */
export function countMissing(_store: Store, _embeddings: Artifact<Embeddings>): Promise<number | undefined> {
  throw new Error('being written')
}
