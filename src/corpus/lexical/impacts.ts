import type { TermCounts } from '../../text/term-counts.ts'

/**
 * Params of BM25, with N chunks and n chunks that contain t; lengths in tokens:
 *
 *     impact(t, d) = idf(t) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length(d) / meanLength))
 *     lucene: idf(t) = ln(1 + (N - n + 0.5) / (n + 0.5))
 *     okapi:  idf(t) = ln((N - n + 0.5) / (n + 0.5)), negative values replaced by 0.25 x the mean idf before (as rank_bm25)
 */
export interface ImpactParams {
  readonly k1: number
  readonly b: number
  readonly idf: 'lucene' | 'okapi'
}

/** Factors of an impact besides tf: impact = (idf[t] * (tf * gain)) / (tf + norms[d]). */
export interface Weighting {
  /** Inverse document frequency by term. */
  readonly idf: Float64Array
  /** Length normalisation by chunk: k1 * (1 - b + b * length / mean length). */
  readonly norms: Float64Array
  readonly gain: number
}

export function weighTerms(
  { offsets, lengths }: Pick<TermCounts, 'offsets' | 'lengths'>,
  { k1, b, idf }: ImpactParams,
): Weighting {
  const chunks = lengths.length
  const mean = lengths.reduce((sum, length) => sum + length, 0) / chunks
  const holders = Uint32Array.from(
    { length: offsets.length - 1 },
    (_, term) => offsets[term + 1] - offsets[term],
  )
  return {
    idf: idf === 'lucene' ? luceneIdf(holders, chunks) : okapiIdf(holders, chunks),
    norms: Float64Array.from(lengths, (length) => k1 * (1 - b + (b * length) / mean)),
    gain: k1 + 1,
  }
}

function luceneIdf(holders: Uint32Array, chunks: number): Float64Array {
  return Float64Array.from(holders, (n) => Math.log(1 + (chunks - n + 0.5) / (n + 0.5)))
}

function okapiIdf(holders: Uint32Array, chunks: number): Float64Array {
  const weights = Float64Array.from(holders, (n) => Math.log((chunks - n + 0.5) / (n + 0.5)))
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length
  return weights.map((weight) => (weight < 0 ? 0.25 * mean : weight))
}
