import { chunkers } from '../corpus/chunks/chunkers/index.ts'
import { contexts } from '../corpus/chunks/contexts/index.ts'
import { enrichers } from '../corpus/chunks/enrich.ts'
import { communityFinders } from '../corpus/graph/communities/index.ts'
import { extractors } from '../corpus/graph/extractors/index.ts'
import { reportWriters } from '../corpus/graph/reports/index.ts'
import { languages, tokenizers } from '../corpus/lexical/text-profile.ts'
import type { Recipe } from '../corpus/recipe.ts'
import { summarizers } from '../corpus/summaries/summarizers/index.ts'
import { embedders } from '../models/embedders/index.ts'
import { customChunker, customEmbedder, customExtractor } from '../retrieve/custom/kinds.ts'
import type { Json } from '../types.ts'
import { choicesLabel, readSlotChoices, type Slot, type SlotChoice } from './choices.ts'
import { combine } from './grid.ts'
import type { ConfigLocation, Params, Path, Reading } from './reading.ts'

export type RecipeChoices = Omit<
  Recipe,
  'documents' | 'dataset' | 'ownDocument' | 'models' | 'rerankers' | 'engines'
>

export interface Preparation extends Omit<Slot, 'key'> {
  readonly summary: string
  readonly otherwise?: Json
}

/** The keys of `prepare`; a recipe (src/corpus/recipe.ts) has the same. */
export const PREPARE = {
  chunk: {
    registry: chunkers,
    custom: customChunker,
    takes: 'one',
    summary: 'cuts documents into chunks',
    otherwise: 'passages',
  },
  enrich: {
    registry: enrichers,
    takes: 'one',
    summary: 'adds fields to each chunk by rules: kind, tags, traits, page',
  },
  context: {
    registry: contexts,
    takes: 'one',
    summary: "text before a chunk's text for search and embedding; default: `title`",
  },
  index: {
    registry: chunkers,
    custom: customChunker,
    takes: 'one',
    summary: 'cuts chunks into small units that are searched; chunks are ranked by their best unit',
  },
  tokenizer: {
    registry: tokenizers,
    takes: 'one',
    summary: 'cuts texts into tokens for lexical search and everything else that reads words',
    otherwise: 'auto',
  },
  language: {
    registry: languages,
    takes: 'one',
    summary: 'language of stop words and stemmer',
    otherwise: 'auto',
  },
  embedder: {
    registry: embedders,
    custom: customEmbedder,
    takes: 'one',
    summary: 'turns texts into vectors',
    otherwise: 'lsa',
  },
  graph: {
    registry: extractors,
    custom: customExtractor,
    takes: 'one or list',
    summary: 'finds entities and relationships in chunks',
  },
  communities: { registry: communityFinders, takes: 'one', summary: 'groups entities into communities' },
  reports: { registry: reportWriters, takes: 'one', summary: 'writes a community report for each community' },
  tree: {
    registry: summarizers,
    takes: 'one',
    summary: 'summarises clusters of chunks, then clusters of summaries (RAPTOR)',
  },
  graphEmbedder: {
    registry: embedders,
    custom: customEmbedder,
    takes: 'one',
    summary: 'turns entities, relationships and community reports into vectors; default: `embedder`',
  },
} as const satisfies Readonly<Record<string, Preparation>>

export interface RecipeVariant {
  readonly choices: RecipeChoices
  readonly locations: Readonly<Record<string, readonly ConfigLocation[]>>
  readonly content: Json
  readonly varied: Params
  readonly facets: Params
}

export function readPrepare(
  raw: Readonly<Record<string, unknown>>,
  path: Path,
  reading: Reading,
): readonly RecipeVariant[] {
  const keys = Object.entries<Preparation>(PREPARE)
  const variants = combine<SlotChoice>(
    keys.map(([key, preparation]) =>
      readSlotChoices(raw[key] ?? preparation.otherwise, [...path, key], { key, ...preparation }, reading),
    ),
  )
  return variants.map((variant) => {
    const filled = keys.flatMap(([key, { takes }], index) => {
      const filling = variant[index]
      return filling.choices.length > 0 ? [{ key, takes, ...filling }] : []
    })
    const byKey = <T>(value: (one: (typeof filled)[number]) => T) =>
      Object.fromEntries(filled.map((part) => [part.key, value(part)]))
    return {
      choices: byKey(({ takes, choices }) =>
        takes === 'one' ? choices[0] : choices,
      ) as object as RecipeChoices,
      locations: byKey(({ paths }) => paths.map(reading.locate)),
      content: byKey(({ content }) => content),
      varied: Object.assign({}, ...variant.map(({ varied }) => varied)),
      facets: byKey(({ choices }) => choicesLabel(choices)),
    }
  })
}
