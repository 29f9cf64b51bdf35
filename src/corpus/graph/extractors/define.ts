import type { z } from 'zod'
import type { Chat } from '../../../models/completions/chat.ts'
import type { Versioned } from '../../../registry.ts'
import type { TextProfile } from '../../../text/tokenize.ts'
import type { Chunk, Document } from '../../../types.ts'

/**
 * Finds entities and relationships in chunks. Results of several extractors are merged: one entity per key, one
 * relationship per ordered pair of entities (merge-entities.ts, merge-relationships.ts).
 */
export interface Extractor<S extends z.ZodObject = z.ZodObject> extends Versioned<S> {
  /**
   * Sentences on records of the files that will be left out or merged. Throws a UserError if the documents show that the
   * files are wrong or belong to another corpus.
   */
  check?(documents: readonly Document[], params: z.output<S>): readonly string[] | Promise<readonly string[]>
  /** Kinds of relations that the extractor may find, if they are always the same. */
  readonly relations?: readonly string[]
  /** True if the language model that the param `model` names extracts. */
  readonly asks?: true
  extract(input: ExtractorInput, params: z.output<S>): Extraction | Promise<Extraction>
}

export interface ExtractorInput {
  /** In row order. */
  readonly chunks: readonly Chunk[]
  readonly documents: readonly Document[]
  /** Tokenizer and languages of the corpus; English if absent. */
  readonly profile?: TextProfile
  /** Language model; set if `asks`. */
  readonly chat?: Chat
}

export interface Extraction {
  readonly mentions: readonly Mention[]
  readonly links: readonly Link[]
  /** `exact`: names that differ are different entities. Otherwise entities are merged by `entityKey`, as HippoRAG does. */
  readonly names?: 'exact'
  /** Description of an entity: its distinct texts, joined by `separator`, cut at `tokens`. */
  readonly describe: { readonly separator: string; readonly tokens: number }
  /** Counts of skipped or odd records: `{malformedTriples: 185}`. Never fatal. */
  readonly notices: Readonly<Record<string, number>>
  /** Chunks without a result because the completion could not be parsed. */
  readonly unread?: readonly Unread[]
}

export interface Unread {
  /** Chunk row. */
  readonly chunk: number
  readonly reason: string
}

/** Entity in a chunk. */
export interface Mention {
  readonly name: string
  /** Chunk row, or -1 if the source names no chunk of the corpus. */
  readonly chunk: number
  readonly count: number
  readonly type?: string
  /** A piece of the entity's description. */
  readonly text?: string
}

/** Relationship of two entities in one chunk. Both ends must be mentioned somewhere. */
export interface Link {
  readonly source: string
  readonly target: string
  /** Text between subject and object of the fact; may be empty. */
  readonly predicate: string
  /** Kind of relation, if the extractor knows it: `contains`, `has_trait`. */
  readonly relation?: string
  readonly chunk: number
  readonly weight: number
  /** `source predicate target` if absent. */
  readonly description?: string
  /** Other chunks that state it. */
  readonly alsoIn?: readonly number[]
}

/** Types an extractor's definition. */
export function defineExtractor<S extends z.ZodObject>(extractor: Extractor<S>): Extractor<S> {
  return extractor
}
