import type { Bm25Params } from '../../corpus/lexical/bm25.ts'
import type { Query, Ranking } from '../../types.ts'
import type { Expression } from '../step.ts'
import { embedQuery } from './embed.ts'
import { searchBm25In, searchDenseIn } from './engine.ts'
import { type FusedSide, fuseSides } from './fuse.ts'
import { scoreBm25, scoreDense } from './search.ts'

/**
 * The dense side's weight. Up to one half, with the norm `corpus`, a chunk that alone holds a query's words is never behind
 * another one: it has 1 - alpha of the lexical side, and the others at most alpha.
 */
export const ALPHA = { weighted: 0.5, rrf: 0.5 }

/** The lowest cosine and the lowest BM25: where `tmm` begins. */
const FLOOR = { dense: -1, bm25: 0 }

interface HybridSearch {
  /** Weight of the dense side. */
  readonly alpha: number
  readonly depth: number
  readonly index: Bm25Params
  /** Names of the engines that search; memory where undefined. A search in an engine scores no other rows. */
  readonly engines?: { readonly dense: string | undefined; readonly lexical: string | undefined }
}

/** Dense and lexical search for a query, to be fused. */
export function hybridSides(
  query: Expression<Query>,
  { alpha, depth, index, engines }: HybridSearch,
): FusedSide[] {
  const vector = embedQuery([query], null)
  const { dense, lexical } = engines ?? {}
  return [
    {
      ranking: searchDenseIn(dense, vector, depth),
      weight: alpha,
      floor: FLOOR.dense,
      scores: (union) => scoreDense([vector, union], null),
    },
    {
      ranking: searchBm25In(lexical, query, depth, index),
      weight: 1 - alpha,
      floor: FLOOR.bm25,
      scores: (union) => scoreBm25([query, union], { index }),
    },
  ]
}

/** Ranking of the strategy `hybrid` with its defaults, or with another weight. */
export function searchHybrid(
  query: Expression<Query>,
  { alpha = ALPHA.weighted, ...search }: { alpha?: number; depth: number; index: Bm25Params },
): Expression<Ranking> {
  return fuseSides(hybridSides(query, { ...search, alpha }), { fusion: 'weighted', norm: 'corpus' })
}
