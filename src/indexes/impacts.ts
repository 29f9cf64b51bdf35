import type { TermCounts } from '../text/term-counts.ts'

/**
 * BM25 (Robertson et al., TREC-3, 1994), as a sum of impacts over the query's tokens:
 *
 *     impact(t, d) = idf(t) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length(d) / meanLength))
 *     lucene: idf(t) = ln(1 + (N - n + 0.5) / (n + 0.5))
 *     okapi:  idf(t) = ln((N - n + 0.5) / (n + 0.5)), negative ones replaced by 0.25 x the mean idf (as rank_bm25 does)
 *
 * with N chunks, n of them holding t; lengths in tokens. The okapi mean is over the terms, before any is replaced.
 */
export interface Impacts {
  /** The postings of term t: `rows` and `impacts` from offsets[t] up to offsets[t + 1]. */
  readonly offsets: Uint32Array
  readonly rows: Uint32Array
  readonly impacts: Float64Array
  readonly chunks: number
}

export interface ImpactParams {
  readonly k1: number
  readonly b: number
  readonly idf: 'lucene' | 'okapi'
}

export function impactsOf(counts: TermCounts, { k1, b, idf }: ImpactParams): Impacts {
  const { offsets, rows, lengths } = counts
  const chunks = lengths.length
  const mean = lengths.reduce((sum, length) => sum + length, 0) / chunks
  const weights = idf === 'lucene' ? luceneIdf(offsets, chunks) : okapiIdf(offsets, chunks)
  const norms = Float64Array.from(lengths, (length) => k1 * (1 - b + (b * length) / mean))
  const impacts = new Float64Array(rows.length)
  for (let term = 0; term < weights.length; term++)
    for (let at = offsets[term]; at < offsets[term + 1]; at++) {
      const tf = counts.counts[at]
      impacts[at] = (weights[term] * (tf * (k1 + 1))) / (tf + norms[rows[at]])
    }
  return { offsets, rows, impacts, chunks }
}

function luceneIdf(offsets: Uint32Array, chunks: number): Float64Array {
  return perTerm(offsets, (n) => Math.log(1 + (chunks - n + 0.5) / (n + 0.5)))
}

function okapiIdf(offsets: Uint32Array, chunks: number): Float64Array {
  const weights = perTerm(offsets, (n) => Math.log((chunks - n + 0.5) / (n + 0.5)))
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length
  return weights.map((weight) => (weight < 0 ? 0.25 * mean : weight))
}

function perTerm(offsets: Uint32Array, weight: (n: number) => number): Float64Array {
  return Float64Array.from({ length: offsets.length - 1 }, (_, term) =>
    weight(offsets[term + 1] - offsets[term]),
  )
}
