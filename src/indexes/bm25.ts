import { join } from 'node:path'
import { rankPairs } from '../ranking/order.ts'
import { readArrays, writeArrays } from '../store/arrays.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { type AnalyzerParams, createAnalyzer } from '../text/tokenize.ts'
import type { Ranking } from '../types.ts'
import { type Impacts, impactsOf } from './impacts.ts'
import type { Recipe } from './recipe.ts'
import { readTerms, termCounts, writeTerms } from './term-counts.ts'

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

/** BM25 with precomputed impacts (impacts.ts): a search only adds up postings. */
export function bm25Index(recipe: Recipe, params: Bm25Params): Artifact<Bm25Index> {
  const { stemmer, stopwords } = params
  return defineArtifact({
    name: 'bm25',
    version: 1,
    params,
    inputs: { counts: termCounts(recipe, params) },
    async build(folder, inputs) {
      const counts = await inputs.counts()
      const { offsets, rows, impacts } = impactsOf(counts, params)
      writeArrays(
        join(folder, 'impacts.safetensors'),
        { offsets, rows, impacts },
        { chunks: String(counts.lengths.length) },
      )
      writeTerms(folder, counts.terms)
    },
    open(folder) {
      const { arrays, metadata } = readArrays(join(folder, 'impacts.safetensors'))
      const postings = { ...arrays, chunks: Number(metadata.chunks) } as unknown as Impacts
      return createBm25(readTerms(folder), postings, createAnalyzer({ stemmer, stopwords }))
    },
  })
}

/** Searches impacts: one float64 accumulator a chunk, filled token by token in the query's order, cleared after use. */
export function createBm25(
  terms: readonly string[],
  { offsets, rows, impacts, chunks }: Impacts,
  analyze: (text: string) => readonly string[],
): Bm25Index {
  const numbers = new Map(terms.map((term, number) => [term, number]))
  const accumulator = new Float64Array(chunks)
  // An okapi impact may be 0, so a sum of 0 does not say that nothing matched.
  const matched = new Uint8Array(chunks)
  const touched = new Uint32Array(chunks)

  function matches(text: string): Pick<Ranking, 'rows' | 'scores'> {
    let count = 0
    for (const token of analyze(text)) {
      const term = numbers.get(token)
      if (term === undefined) continue
      for (let at = offsets[term]; at < offsets[term + 1]; at++) {
        const row = rows[at]
        if (matched[row] === 0) {
          matched[row] = 1
          touched[count++] = row
        }
        accumulator[row] += impacts[at]
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
