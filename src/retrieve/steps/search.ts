import { denseIndex } from '../../corpus/dense/dense.ts'
import { type Bm25Params, bm25Index } from '../../corpus/lexical/bm25.ts'
import { askedFields } from '../../corpus/lexical/fields.ts'
import type { Aligned } from '../../ranking/fuse.ts'
import type { Mask } from '../../ranking/mask.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep, type Statistics } from '../step.ts'

type LexicalParams = { readonly index: Bm25Params; readonly statistics?: 'subset' }
type SearchParams = LexicalParams & { readonly depth: number }

function withStatistics<P extends LexicalParams>(params: P, statistics: Statistics): P {
  return statistics === 'subset' ? { ...params, statistics } : params
}

const textOf = ({ lexical, text }: Query) => lexical ?? text

/** The `depth` chunks with the highest BM25 for the query's lexical text. A chunk without a matching term is not in the list. */
export const searchBm25 = defineStep({
  name: 'bm25',
  version: 2,
  channel: 'lexical',
  yields: 'ranking',
  within: withStatistics<SearchParams>,
  artifacts: (recipe, { index }: SearchParams) => ({ bm25: bm25Index(recipe, index) }),
  requires: (recipe, { index }) => askedFields(recipe, index.fields),
  run([query, mask]: readonly [Query, Mask?], { params: { depth, statistics }, artifacts: { bm25 } }) {
    if (mask && statistics) return bm25.alone(mask).searchWithExtremes(textOf(query), depth)
    return bm25.searchWithExtremes(textOf(query), depth, mask)
  },
})

/** The BM25 of a union's rows, for `complete`. */
export const scoreBm25 = defineStep({
  name: 'score-bm25',
  version: 1,
  within: withStatistics<LexicalParams>,
  artifacts: (recipe, { index }: LexicalParams) => ({ bm25: bm25Index(recipe, index) }),
  run([query, { rows }, mask]: readonly [Query, Aligned, Mask?], { params, artifacts: { bm25 } }) {
    return (mask && params.statistics ? bm25.alone(mask) : bm25).scores(textOf(query), rows)
  },
})

/** The `depth` chunks nearest to a query vector by cosine, exact. Scores are cosines. A zero vector finds nothing. */
export const searchDense = defineStep({
  name: 'dense',
  version: 2,
  channel: 'dense',
  yields: 'ranking',
  within: true,
  artifacts: (recipe, _params: { readonly depth: number }) => ({ dense: denseIndex(recipe) }),
  runBlock(block: readonly (readonly [Float32Array, Mask?])[], { params: { depth }, artifacts: { dense } }) {
    const found = new Array<Ranking>(block.length)
    for (const [within, positions] of placesByMask(block.map(([, mask]) => mask))) {
      const hasZeros = dense.hasZeros(within)
      const vectors = positions.map((position) => block[position][0])
      dense.searchWithMin(vectors, depth, { within }).forEach(({ ranking, min }, i) => {
        const max = ranking.scores[0] ?? 0
        const extremes = hasZeros ? { min: Math.min(min, 0), max: Math.max(max, 0) } : { min, max }
        found[positions[i]] = { ...ranking, extremes }
      })
    }
    return found
  },
})

/** Queries of one mask are searched together. */
function placesByMask(masks: readonly (Mask | undefined)[]): Map<Mask | undefined, number[]> {
  const positions = new Map<Mask | undefined, number[]>()
  masks.forEach((mask, position) => {
    positions.set(mask, [...(positions.get(mask) ?? []), position])
  })
  return positions
}

/** The cosines of a union's rows, for `complete`. */
export const scoreDense = defineStep({
  name: 'score-dense',
  version: 1,
  artifacts: (recipe, _params: null) => ({ dense: denseIndex(recipe) }),
  run: ([vector, { rows }]: readonly [Float32Array, Aligned], { artifacts: { dense } }) =>
    Float64Array.from(dense.cosines(rows, vector)),
})
