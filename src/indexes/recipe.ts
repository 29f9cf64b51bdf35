import type { Artifact } from '../store/artifact.ts'
import type { Document, Json } from '../types.ts'

/** A choice in a config: a name and its params. */
export interface Choice {
  readonly name: string
  readonly params: Readonly<Record<string, Json>>
}

/** How a corpus is prepared: what `prepare` in the config says, resolved. Index artifacts are functions of a recipe. */
export interface Recipe {
  /** Where the data set lies, absolute: told to other systems, part of no key. */
  readonly dataset?: string
  readonly documents: Artifact<readonly Document[]>
  readonly chunk: Choice
  readonly embedder: Choice
  /** The extractors whose entities and relationships add up to one graph. */
  readonly graph?: readonly Choice[]
  readonly communities?: Choice
  readonly reports?: Choice
  /** What embeds entities, relationships, facts and reports; `embedder` where absent. */
  readonly graphEmbedder?: Choice
}
