import type { z } from 'zod'
import { chunkers } from '../dataset/chunkers/index.ts'
import { datasetFormats } from '../dataset/formats/index.ts'
import { communityFinders } from '../graph/communities/index.ts'
import { extractors } from '../graph/extractors/index.ts'
import { reportWriters } from '../graph/reports/index.ts'
import { embedders } from '../models/embedders/index.ts'
import { strategies } from '../strategies/index.ts'
import { transforms } from '../transforms/index.ts'
import type { Json } from '../types.ts'

/** What every definition in a registry has in common. */
export interface Definition {
  readonly name: string
  /** One line. */
  readonly summary: string
  readonly params: z.ZodObject
  /**
   * Ties params to the content of the files that they name, so that keys hold hashes and not paths. Throws a UserError
   * naming what is missing.
   */
  readonly pin?: (params: never) => unknown
  /** SHA-256 of each file that the params name. Throws a UserError where one is missing. */
  readonly files?: (params: never) => Readonly<Record<string, string>>
}

/** Something to choose from: its word in messages, and the definitions by name. */
export interface Kind {
  readonly word: string
  readonly definitions: ReadonlyMap<string, Definition>
}

function kind(word: string, registry: readonly Definition[] | Readonly<Record<string, Definition>>): Kind {
  const list = Object.values(registry) as readonly Definition[]
  return { word, definitions: new Map(list.map((definition) => [definition.name, definition])) }
}

const EMBEDDER = kind('embedder', embedders)
const named = Object.values(transforms)

export const STRATEGY = kind('strategy', strategies)
export const QUERY_TRANSFORM = kind(
  'query transform',
  named.filter((transform) => transform.kind === 'query'),
)
export const RANKING_TRANSFORM = kind(
  'ranking transform',
  named.filter((transform) => transform.kind === 'ranking'),
)
export const FORMAT = kind('dataset format', datasetFormats)

/** One thing to prepare: a key of `prepare` in the config. */
export interface Preparation {
  readonly kind: Kind
  readonly summary: string
  /** What stands there where the config says nothing; without it the key may stay away. */
  readonly otherwise?: Json
  /** Several add up: the key takes a choice or a list of choices. */
  readonly several?: true
}

/** The keys of `prepare`, each one line; a recipe (src/indexes/recipe.ts) has the same. */
export const PREPARE = {
  chunk: { kind: kind('chunker', chunkers), summary: 'how documents become chunks', otherwise: 'passages' },
  embedder: { kind: EMBEDDER, summary: 'what turns texts into vectors', otherwise: 'lsa' },
  graph: {
    kind: kind('extractor', extractors),
    summary: 'what finds entities and relationships in chunks',
    several: true,
  },
  communities: { kind: kind('community finder', communityFinders), summary: 'what groups entities' },
  reports: { kind: kind('report writer', reportWriters), summary: 'what writes a report on a community' },
  graphEmbedder: {
    kind: EMBEDDER,
    summary: 'what turns entities, relationships and reports into vectors, where that is not `embedder`',
  },
} as const satisfies Readonly<Record<string, Preparation>>
