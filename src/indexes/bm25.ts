import { rankPairs } from '../ranking/order.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import type { AnalyzerParams } from '../text/tokenize.ts'
import type { Ranking } from '../types.ts'
import { type ImpactParams, weighTerms } from './impacts.ts'
import { type Lexicon, lexicon } from './lexicon.ts'
import type { Recipe } from './recipe.ts'

export type Bm25Params = { k1: number; b: number; idf: 'lucene' | 'okapi' } & AnalyzerParams

/** Lexical search over the chunks' passage texts. */
export interface Bm25Index {
  /**
   * The `depth` chunks with the highest BM25; a chunk without a matching term is not in the list. Every occurrence of a
   * term in `text` counts. `within`: only rows whose byte is not 0.
   */
  search(text: string, depth: number, within?: Uint8Array): Ranking
  /** All chunks with a matching term and their BM25, in no order. */
  matches(text: string): Pick<Ranking, 'rows' | 'scores'>
}

/** BM25 over postings that all its params share: a grid over k1 and b holds the corpus once, not once a point. */
export function bm25Index(
  recipe: Recipe,
  { stemmer, stopwords, ...weighting }: Bm25Params,
): Artifact<Bm25Index> {
  return defineArtifact({
    name: 'bm25',
    version: 2,
    params: weighting,
    inputs: { lexicon: lexicon(recipe, { stemmer, stopwords }) },
    open: async (_folder, inputs) => createBm25(await inputs.lexicon(), weighting),
  })
}

/** Adds up impacts (impacts.ts): one float64 accumulator a chunk, filled token by token in the query's order, cleared after use. */
export function createBm25({ counts, termOf, analyze }: Lexicon, params: ImpactParams): Bm25Index {
  const { offsets, rows, counts: frequencies } = counts
  const { idf, norms, gain } = weighTerms(counts, params)
  const chunks = counts.lengths.length
  const accumulator = new Float64Array(chunks)
  // An okapi impact may be 0, so a sum of 0 does not say that nothing matched.
  const matched = new Uint8Array(chunks)
  const touched = new Uint32Array(chunks)

  function matches(text: string): Pick<Ranking, 'rows' | 'scores'> {
    let count = 0
    for (const token of analyze(text)) {
      const term = termOf(token)
      if (term === undefined) continue
      const weight = idf[term]
      const end = offsets[term + 1]
      for (let at = offsets[term]; at < end; at++) {
        const row = rows[at]
        const tf = frequencies[at]
        if (matched[row] === 0) {
          matched[row] = 1
          touched[count++] = row
        }
        accumulator[row] += (weight * (tf * gain)) / (tf + norms[row])
      }
    }
    const found = touched.slice(0, count)
    const scores = new Float64Array(count)
    for (let i = 0; i < count; i++) {
      scores[i] = accumulator[found[i]]
      accumulator[found[i]] = 0
      matched[found[i]] = 0
    }
    return { rows: found, scores }
  }

  return {
    matches,
    search(text, depth, within) {
      const { rows, scores } = matches(text)
      if (!within) return rankPairs(rows, scores, depth)
      const inside = (_: number, i: number) => within[rows[i]] !== 0
      return rankPairs(rows.filter(inside), scores.filter(inside), depth)
    },
  }
}
