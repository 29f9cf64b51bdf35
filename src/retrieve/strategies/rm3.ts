import { z } from 'zod'
import { bm25Index, type Lexicon, lexicon } from '../../corpus/lexical/bm25.ts'
import type { WeightedTerms } from '../../corpus/lexical/sums.ts'
import { type TermVectors, termVectors } from '../../corpus/lexical/term-counts.ts'
import { UserError } from '../../errors.ts'
import type { Mask } from '../../ranking/mask.ts'
import type { Query, Ranking } from '../../types.ts'
import { defineStep, type Statistics } from '../step.ts'
import { BM25, count, pool, share } from '../steps/params.ts'
import { searchBm25 } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

/** As Anserini picks what may expand a query: short and long terms are mostly noise, frequent ones mostly function words. */
const LETTERS = { least: 2, most: 20 }
const MAX_CHUNKS = 0.1
const FEEDBACK = 10

export type Rm3Params = {
  /** Number of terms kept per chunk, and in total. */
  readonly terms: number
  readonly originalWeight: number
}

const expandRm3 = defineStep({
  name: 'rm3',
  isLexical: true,
  artifacts: (recipe, _: Rm3Params) => ({ lexicon: lexicon(recipe), vectors: termVectors(recipe) }),
  run([query, best]: [Query, Ranking], { params, artifacts: { lexicon, vectors } }) {
    return rm3Terms(query.lexical ?? query.text, best, { lexicon, vectors }, params)
  },
})

type TermsParams = { readonly depth: number }

export const searchTerms = defineStep({
  name: 'bm25-terms',
  isLexical: true,
  channel: 'lexical',
  within(params: TermsParams, statistics: Statistics) {
    if (statistics === 'corpus') return params
    throw new UserError(
      '`filter.statistics: subset` is not for a search by weighted terms, which are chosen by how many of all chunks hold them; take `corpus`',
    )
  },
  artifacts: (recipe, _: TermsParams) => ({ bm25: bm25Index(recipe, BM25) }),
  run: ([query, mask]: [WeightedTerms, Mask?], { params, artifacts: { bm25 } }) =>
    bm25.searchTerms(query, params.depth, mask?.kept),
})

type Terms = { readonly lexicon: Lexicon; readonly vectors: TermVectors }

/**
 * RM3 of the query and its best chunks D, as Anserini computes it:
 *
 *     w(t)   = lambda * tf(t, q) / |q| + (1 - lambda) * rm1(t)
 *     rm1(t) = sum over d in D of score(d) * tf(t, d) / sum of tf over the terms kept of d
 *
 * Each chunk keeps its `terms` most frequent terms; the union keeps the `terms` best, scaled to a sum of 1; ties: the
 * first by code units. Unlike Anserini, terms are of any script, and a token that no chunk contains counts in |q|. Query
 * terms come first.
 */
export function rm3Terms(
  text: string,
  best: Ranking,
  { lexicon, vectors }: Terms,
  { terms: count, originalWeight }: Rm3Params,
): WeightedTerms {
  const { terms: names, offsets, lengths } = lexicon.postings
  const most = MAX_CHUNKS * lengths.length
  const canExpand = (term: number) =>
    names[term].length >= LETTERS.least &&
    names[term].length <= LETTERS.most &&
    offsets[term + 1] - offsets[term] <= most
  const heaviest = (weights: ReadonlyMap<number, number>) =>
    [...weights]
      .sort(([a, x], [b, y]) => y - x || (names[a] < names[b] ? -1 : 1))
      .slice(0, count)
      .map(([term, weight]) => [term, weight] as const)

  const model = new Map<number, number>()
  for (let i = 0; i < Math.min(FEEDBACK, best.rows.length); i++) {
    const row = best.rows[i]
    const frequencies = new Map<number, number>()
    for (let at = vectors.offsets[row]; at < vectors.offsets[row + 1]; at++)
      if (canExpand(vectors.terms[at]))
        frequencies.set(vectors.terms[at], (frequencies.get(vectors.terms[at]) ?? 0) + vectors.counts[at])
    const heaviestTerms = heaviest(frequencies)
    const sum = sumOf(heaviestTerms)
    for (const [term, tf] of heaviestTerms)
      model.set(term, (model.get(term) ?? 0) + best.scores[i] * (tf / sum))
  }
  const expansion = heaviest(model)
  const total = sumOf(expansion)

  const tokens = lexicon.analyze(text)
  const weights = new Map<number, number>()
  const add = (term: number, weight: number) => weights.set(term, (weights.get(term) ?? 0) + weight)
  for (const token of tokens) {
    const term = lexicon.termOf(token)
    if (term !== undefined) add(term, originalWeight / tokens.length)
  }
  for (const [term, weight] of expansion) if (total > 0) add(term, (1 - originalWeight) * (weight / total))
  const used = [...weights].filter(([, weight]) => weight > 0)
  return { terms: used.map(([term]) => term), weights: used.map(([, weight]) => weight) }
}

function sumOf(entries: readonly (readonly [number, number])[]): number {
  return entries.reduce((sum, [, weight]) => sum + weight, 0)
}

export default defineStrategy({
  name: 'rm3',
  summary: 'lexical search with pseudo-relevance feedback: BM25, then again with terms of the best chunks',
  source: 'Abdul-Jaleel et al., TREC 2004; defaults of Anserini',
  params: z.strictObject({
    terms: count(10, 'maximum number of terms of each of them, and of all'),
    originalWeight: share(0.5, "the query's share of the new query"),
    pool: pool(),
  }),
  make: (params) => ({
    retrieve(query) {
      const { terms, originalWeight, pool: depth } = params
      const best = searchBm25([query], { depth: Math.max(depth, FEEDBACK), index: BM25 })
      const expanded = expandRm3([query, best], { terms, originalWeight })
      return { ranking: searchTerms([expanded], { depth }) }
    },
  }),
})
