import { createRegistry } from '../../registry.ts'
import { aliases } from './aliases.ts'
import { chapterRouting } from './chapter-routing/transform.ts'
import type { QueryTransform, RankingTransform } from './define.ts'
import { diversify } from './diversify.ts'
import { domainCodes } from './domain-codes.ts'
import { expandSynonyms } from './expand-synonyms.ts'
import { graphBoost } from './graph-boost.ts'
import { graphEmbedding } from './graph-embedding/transform.ts'
import { graphFirst } from './graph-first.ts'
import { hyde } from './hyde.ts'
import { mergeAdjacentChunks } from './merge-adjacent.ts'
import { minScore } from './min-score.ts'
import { noise } from './noise.ts'
import { normalizeKeywords } from './normalize-keywords.ts'
import { query2doc } from './query2doc.ts'
import { rerankTransform } from './rerank/transform.ts'
import { rewrite } from './rewrite.ts'
import { window } from './window.ts'

/** What may stand before a strategy, in the order of the docs. A new one is one file and one line here. */
export const queryTransforms = createRegistry<QueryTransform>('query transform', [
  normalizeKeywords,
  aliases,
  expandSynonyms,
  rewrite,
  hyde,
  query2doc,
  noise,
])

/** What may stand after a strategy, in the order of the docs. A new one is one file and one line here. */
export const rankingTransforms = createRegistry<RankingTransform>('ranking transform', [
  rerankTransform,
  minScore,
  graphBoost,
  graphEmbedding,
  graphFirst,
  chapterRouting,
  domainCodes,
  diversify,
  mergeAdjacentChunks,
  window,
])
