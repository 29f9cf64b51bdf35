import { denseIndex } from '../../corpus/dense/dense.ts'
import { embedder } from '../../corpus/dense/embeddings.ts'
import { type Bm25Params, bm25Index } from '../../corpus/lexical/bm25.ts'
import { askedFields } from '../../corpus/lexical/fields.ts'
import { addTo } from '../../maps.ts'
import type { Aligned } from '../../ranking/fuse.ts'
import type { Mask } from '../../ranking/mask.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep, type Expression, type Statistics } from '../step.ts'
import { type FusedSide, fuseSides } from './combine.ts'

/** The query's text as an L2-normalised vector of the recipe's embedder; zeros for unknown words. */
export const embedQuery = defineStep({
  name: 'embed-query',
  embeds: ({ embedder }) => embedder,
  artifacts: (recipe) => ({ embedder: embedder(recipe, recipe.embedder, 'query') }),
  async runBlock(block: readonly [Query][], { artifacts }) {
    const { embed, dims } = artifacts.embedder
    const vectors = await embed(block.map(([query]) => query.text))
    return block.map((_, i) => vectors.slice(i * dims, (i + 1) * dims))
  },
})

const embedForGraph = defineStep({
  name: 'embed-graph-query',
  embeds: ({ graphEmbedder }) => graphEmbedder,
  artifacts: (recipe) => ({ embedder: embedder(recipe, recipe.graphEmbedder, 'query') }),
  async run([query]: [Query], { artifacts }) {
    return artifacts.embedder.embed([query.text])
  },
})

/** Query vector for the graph: by the chunks' embedder unless the recipe names another. */
export function embedGraphQuery(query: Expression<Query>): Expression<Float32Array> {
  return query.recipe.graphEmbedder ? embedForGraph([query]) : embedQuery([query])
}

type LexicalParams = { readonly index: Bm25Params; readonly statistics?: 'subset' }
export type SearchBm25 = LexicalParams & { readonly depth: number }

function withStatistics<P extends LexicalParams>(params: P, statistics: Statistics): P {
  return statistics === 'subset' ? { ...params, statistics } : params
}

const textOf = ({ lexical, text }: Query) => lexical ?? text

/** The `depth` chunks with the highest BM25 for the query's lexical text. A chunk without a matching term is not in the list. */
export const searchBm25 = defineStep({
  name: 'bm25',
  version: 2,
  isLexical: true,
  channel: 'lexical',
  within: withStatistics<SearchBm25>,
  artifacts: (recipe, { index }: SearchBm25) => ({ bm25: bm25Index(recipe, index) }),
  requires: (recipe, { index }) => askedFields(recipe, index.fields),
  run([query, mask]: [Query, Mask?], { params: { depth, statistics }, artifacts: { bm25 } }) {
    if (mask && statistics) return bm25.alone(mask).searchWithExtremes(textOf(query), depth)
    return bm25.searchWithExtremes(textOf(query), depth, mask)
  },
})

const scoreBm25 = defineStep({
  name: 'score-bm25',
  isLexical: true,
  within: withStatistics<LexicalParams>,
  artifacts: (recipe, { index }: LexicalParams) => ({ bm25: bm25Index(recipe, index) }),
  run([query, { rows }, mask]: [Query, Aligned, Mask?], { params, artifacts: { bm25 } }) {
    return (mask && params.statistics ? bm25.alone(mask) : bm25).scores(textOf(query), rows)
  },
})

/** The `depth` chunks nearest to a query vector by cosine, exact. Scores are cosines. A zero vector finds nothing. */
export const searchDense = defineStep({
  name: 'dense',
  version: 2,
  channel: 'dense',
  within: true,
  artifacts: (recipe, _: { readonly depth: number }) => ({ dense: denseIndex(recipe) }),
  runBlock(block: readonly [Float32Array, Mask?][], { params: { depth }, artifacts: { dense } }) {
    const rankings = new Array<Ranking>(block.length)
    for (const [filter, positions] of placesByMask(block.map(([, mask]) => mask))) {
      const hasZeros = dense.hasZeros(filter)
      const vectors = positions.map((position) => block[position][0])
      dense.searchWithMin(vectors, depth, { within: filter }).forEach(({ ranking, min }, i) => {
        const max = ranking.scores[0] ?? 0
        const extremes = hasZeros ? { min: Math.min(min, 0), max: Math.max(max, 0) } : { min, max }
        rankings[positions[i]] = { ...ranking, extremes }
      })
    }
    return rankings
  },
})

export function searchQuery(query: Expression<Query>, depth: number): Expression<Ranking> {
  return searchDense([embedQuery([query])], { depth })
}

function placesByMask(masks: readonly (Mask | undefined)[]): Map<Mask | undefined, number[]> {
  const positions = new Map<Mask | undefined, number[]>()
  masks.forEach((mask, position) => {
    addTo(positions, mask, position)
  })
  return positions
}

const scoreDense = defineStep({
  name: 'score-dense',
  artifacts: (recipe) => ({ dense: denseIndex(recipe) }),
  run: ([vector, { rows }]: [Float32Array, Aligned], { artifacts: { dense } }) =>
    Float64Array.from(dense.cosines(rows, vector)),
})

/**
 * The dense side's weight. Up to one half, with the norm `corpus`, a chunk that alone holds a query's words is never behind
 * another one: it has 1 - alpha of the lexical side, and the others at most alpha.
 */
export const ALPHA = { weighted: 0.5, rrf: 0.5 }

/** The lowest cosine and the lowest BM25: where `tmm` begins. */
const FLOOR = { dense: -1, bm25: 0 }

interface HybridSearch {
  readonly alpha: number
  readonly depth: number
  readonly index: Bm25Params
}

export function hybridSides(query: Expression<Query>, { alpha, depth, index }: HybridSearch): FusedSide[] {
  const vector = embedQuery([query])
  return [
    {
      ranking: searchDense([vector], { depth }),
      weight: alpha,
      floor: FLOOR.dense,
      scores: (union) => scoreDense([vector, union]),
    },
    {
      ranking: searchBm25([query], { depth, index }),
      weight: 1 - alpha,
      floor: FLOOR.bm25,
      scores: (union) => scoreBm25([query, union], { index }),
    },
  ]
}

export function searchHybrid(
  query: Expression<Query>,
  { alpha = ALPHA.weighted, ...search }: { alpha?: number; depth: number; index: Bm25Params },
): Expression<Ranking> {
  return fuseSides(hybridSides(query, { ...search, alpha }), { fusion: 'weighted', norm: 'corpus' })
}
