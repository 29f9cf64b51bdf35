import { aliases } from './aliases.ts'
import type { Transform } from './define.ts'
import { diversify } from './diversify.ts'
import { domainCodes } from './domain-codes.ts'
import { expandSynonyms } from './expand-synonyms.ts'
import { graphBoost } from './graph-boost.ts'
import { mergeAdjacentChunks } from './merge-adjacent.ts'
import { minScore } from './min-score.ts'
import { normalizeKeywords } from './normalize-keywords.ts'

/** Every transform there is, by name, in the order of the docs. A new one is one file and one line here. */
export const transforms = {
  'normalize-keywords': normalizeKeywords,
  aliases,
  'expand-synonyms': expandSynonyms,
  'min-score': minScore,
  'graph-boost': graphBoost,
  'domain-codes': domainCodes,
  diversify,
  'merge-adjacent': mergeAdjacentChunks,
} as unknown as Readonly<Record<string, Transform>>
