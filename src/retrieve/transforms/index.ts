import { listParts, type Part, typeParts } from '../../registry.ts'
import type { Query, Ranking } from '../../types.ts'
import type { Expression } from '../step.ts'

export type QueryTransform = Part<QueryRewriter>

export interface QueryRewriter {
  rewrite(query: Expression<Query>): Expression<Query>
}

export type RankingTransform = Part<Ranker>

export interface Ranker {
  rank(ranking: Expression<Ranking>, query: Expression<Query>): Expression<Ranking>
}

export const defineQueryTransform = typeParts<QueryRewriter>()
export const defineRankingTransform = typeParts<Ranker>()

export const queryTransforms = listParts<QueryTransform>('query transform', {
  'normalize-keywords': () => import('./normalize-keywords.ts'),
  aliases: () => import('./aliases.ts'),
  'expand-synonyms': () => import('./expand-synonyms.ts'),
  rewrite: () => import('./rewrite.ts'),
  hyde: () => import('./hyde.ts'),
  query2doc: () => import('./query2doc.ts'),
})

export const rankingTransforms = listParts<RankingTransform>('ranking transform', {
  rerank: () => import('./rerank.ts'),
  'min-score': () => import('./min-score.ts'),
  'graph-boost': () => import('./graph-boost.ts'),
  'graph-embedding': () => import('./graph-embedding.ts'),
  'graph-first': () => import('./graph-first.ts'),
  'chapter-routing': () => import('./chapter-routing.ts'),
  'domain-codes': () => import('./domain-codes.ts'),
  diversify: () => import('./diversify.ts'),
  'merge-adjacent': () => import('./merge-adjacent.ts'),
})
