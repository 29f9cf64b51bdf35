import type { z } from 'zod'
import type { Chat } from '../../../models/completions/chat.ts'
import type { TextProfile } from '../../../text/tokenize.ts'
import type { Chunk, Document } from '../../../types.ts'

/**
 * An extractor finds entities and relationships in chunks. What several find adds up: one entity for each key, one
 * relationship for each ordered pair of entities (src/graph/merge.ts).
 */
export interface Extractor<S extends z.ZodObject = z.ZodObject> {
  readonly name: string
  /** Raised whenever the same chunks and params would give something else. */
  readonly version: number
  /** SHA-256 of the file that it is from, where that is somebody's own. */
  readonly code?: string
  /** One line, for `touchstone list` and the docs. */
  readonly summary: string
  readonly params: S
  /** The param that a value stands for where a config gives one in place of a map. */
  readonly only?: string
  /** SHA-256 of each file that the params name, so that keys hold contents and not paths. Throws a UserError where one is missing. */
  files?(params: z.output<S>): Readonly<Record<string, string>>
  /**
   * What of the files will be passed over, in words. Throws a UserError where they can be seen to be wrong or of another
   * corpus from the documents alone.
   */
  check?(documents: readonly Document[], params: z.output<S>): readonly string[] | Promise<readonly string[]>
  /** Whether a language model extracts: the one that the param `model` names, by `talk`. */
  readonly asks?: true
  extract(input: ExtractorInput, params: z.output<S>): Extraction | Promise<Extraction>
}

export interface ExtractorInput {
  /** In row order. */
  readonly chunks: readonly Chunk[]
  readonly documents: readonly Document[]
  /** How the corpus's words are read; English where absent. */
  readonly profile?: TextProfile
  /** The language model, for extractors that ask one. */
  readonly chat?: Chat
}

export interface Extraction {
  readonly mentions: readonly Mention[]
  readonly links: readonly Link[]
  /** `exact`: names that differ are different entities. Otherwise entities are merged by `entityKey`, as HippoRAG does. */
  readonly names?: 'exact'
  /** How an entity's distinct texts become its description: joined by this, cut at so many tokens. */
  readonly describe: { readonly separator: string; readonly tokens: number }
  /** What was skipped or odd, counted: `{malformedTriples: 185}`. Never fatal. */
  readonly notices: Readonly<Record<string, number>>
  /** Chunks that nothing was extracted from, as no answer could be read. */
  readonly unread?: readonly Unread[]
}

export interface Unread {
  /** Chunk row. */
  readonly chunk: number
  readonly reason: string
}

/** An entity stands in a chunk. */
export interface Mention {
  readonly name: string
  /** Chunk row, or -1 where the source names none of ours. */
  readonly chunk: number
  readonly count: number
  readonly type?: string
  /** A piece of the entity's description. */
  readonly text?: string
}

/** Two entities are related, as one chunk says. Both ends must be mentioned somewhere. */
export interface Link {
  readonly source: string
  readonly target: string
  /** What stands between subject and object in the fact; may be empty. */
  readonly predicate: string
  /** What kind of relation it is, where the extractor knows: `contains`, `has_trait`. */
  readonly relation?: string
  readonly chunk: number
  readonly weight: number
  /** `source predicate target` where absent. */
  readonly description?: string
  /** Other chunks that say it too. */
  readonly alsoIn?: readonly number[]
}

/** Gives an extractor's definition its types. */
export function defineExtractor<S extends z.ZodObject>(extractor: Extractor<S>): Extractor<S> {
  return extractor
}
