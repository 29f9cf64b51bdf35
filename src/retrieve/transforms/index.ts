import { createLazyRegistry } from '../../registry.ts'
import type { QueryTransform, RankingTransform } from './define.ts'

/** Transforms of the query, in the order of the docs. A new one is a file or a folder here and one line below. */
export const queryTransforms = createLazyRegistry<QueryTransform>('query transform', {
  'normalize-keywords': async () => (await import('./normalize-keywords.ts')).normalizeKeywords,
  aliases: async () => (await import('./aliases.ts')).aliases,
  'expand-synonyms': async () => (await import('./expand-synonyms.ts')).expandSynonyms,
  rewrite: async () => (await import('./rewrite.ts')).rewrite,
  hyde: async () => (await import('./hyde.ts')).hyde,
  query2doc: async () => (await import('./query2doc.ts')).query2doc,
})

/** Transforms of the ranking, in the order of the docs. A new one is a file or a folder here and one line below. */
export const rankingTransforms = createLazyRegistry<RankingTransform>('ranking transform', {
  rerank: async () => (await import('./rerank/transform.ts')).rerankTransform,
  'min-score': async () => (await import('./min-score.ts')).minScore,
  'graph-boost': async () => (await import('./graph-boost.ts')).graphBoost,
  'graph-embedding': async () => (await import('./graph-embedding/transform.ts')).graphEmbedding,
  'graph-first': async () => (await import('./graph-first.ts')).graphFirst,
  'chapter-routing': async () => (await import('./chapter-routing/transform.ts')).chapterRouting,
  'domain-codes': async () => (await import('./domain-codes.ts')).domainCodes,
  diversify: async () => (await import('./diversify.ts')).diversify,
  'merge-adjacent': async () => (await import('./merge-adjacent.ts')).mergeAdjacentChunks,
})
