import type { TermCounts } from '../../text/term-counts.ts'
import type { Progress } from '../../types.ts'
import { decompose } from './decompose.ts'
import type { Sparse } from './sparse.ts'

/**
 * Natural logarithm with the same bits everywhere. With x = m * 2^e, s = (m - 1) / (m + 1): ln x = e * ln 2 + 2 *
 * (s + s^3/3 + s^5/5 + ...); |s| < 0.1716, so 11 terms suffice.
 */
function naturalLog(x: number): number {
  let exponent = 0
  let m = x
  for (; m > Math.SQRT2; m /= 2) exponent++
  for (; m < Math.SQRT1_2; m *= 2) exponent--
  const s = (m - 1) / (m + 1)
  let sum = 0
  for (let k = 23; k > 0; k -= 2) sum = sum * s * s + 1 / k
  return exponent * Math.LN2 + 2 * s * sum
}

/**
 * Log-entropy weight of a term in a text, of N texts (Dumais, "Improving the retrieval of information from external sources", 1991):
 *
 *     weight(t, d) = ln(1 + tf) * (1 + sum over d of p ln p / ln N),  p = tf / (occurrences of t)
 */
function localWeight(tf: number): number {
  return naturalLog(1 + tf)
}

/** Each term's factor, the same in every text. */
export function globalWeights({ offsets, counts, lengths }: TermCounts): Float64Array {
  const texts = lengths.length
  return Float64Array.from({ length: offsets.length - 1 }, (_, term) => {
    const from = offsets[term]
    const to = offsets[term + 1]
    let occurrences = 0
    for (let at = from; at < to; at++) occurrences += counts[at]
    let sum = 0
    for (let at = from; at < to; at++)
      sum += (counts[at] / occurrences) * naturalLog(counts[at] / occurrences)
    return texts < 2 ? 1 : Math.max(0, 1 + sum / naturalLog(texts))
  })
}

export function weightedTerms(counted: TermCounts, weights: Float64Array): Sparse {
  const { offsets, rows, counts, lengths } = counted
  const values = new Float64Array(rows.length)
  const squares = new Float64Array(lengths.length)
  for (let term = 0; term < weights.length; term++)
    for (let at = offsets[term]; at < offsets[term + 1]; at++) {
      values[at] = localWeight(counts[at]) * weights[term]
      squares[rows[at]] += values[at] * values[at]
    }
  for (let at = 0; at < values.length; at++) {
    const square = squares[rows[at]]
    if (square > 0) values[at] /= Math.sqrt(square)
  }
  return { rows: weights.length, columns: lengths.length, offsets, indices: rows, values }
}

/**
 * Latent semantic analysis (Deerwester et al., JASIS 1990). The texts' weighted terms, each text of length 1, are A' = T
 * S U', truncated to `dims`. A text with weights a is a T S^(-1/2), of length 1; fitted texts too, so a vector does not
 * depend on its place.
 */
export interface LsaModel {
  readonly terms: readonly string[]
  /** One a term. */
  readonly weights: Float64Array
  /** T S^(-1/2): `terms.length * dims` long, row after row. */
  readonly basis: Float32Array
  readonly dims: number
}

interface FitParams {
  /** Maximum number of dimensions; never more than `dimensionsFor` allows, nor than the rank of the texts. */
  readonly dims: number
  readonly seed: number
}

export function fitLsa(counts: TermCounts, { dims, seed }: FitParams, progress: Progress): LsaModel {
  const weights = globalWeights(counts)
  const wanted = Math.min(dims, dimensionsFor(counts.lengths.length))
  const matrix = weightedTerms(counts, weights)
  const { singular, left } = decompose(matrix, wanted, seed, (done, total) => progress('lsa', done, total))
  const rank = singular.length
  const scale = singular.map((value) => 1 / Math.sqrt(value))
  // A corpus without a word has vectors of one zero.
  const basis = new Float32Array(counts.terms.length * Math.max(1, rank))
  for (let at = 0; at < left.length; at++) basis[at] = left[at] * scale[at % rank]
  return { terms: counts.terms, weights, basis, dims: Math.max(1, rank) }
}

/** All up to 16 texts, 4 sqrt(texts) up to 144, then a third. Fewer would join texts in a small corpus. */
function dimensionsFor(texts: number): number {
  const few = Math.min(texts, Math.floor(4 * Math.sqrt(texts)))
  return Math.max(1, few, Math.floor(texts / 3))
}

/** Vector of a text's terms: L2-normalised, zeros if none is known. */
export function createFolder({
  terms,
  weights,
  basis,
  dims,
}: LsaModel): (tokens: readonly string[]) => Float32Array {
  const numbers = new Map(terms.map((term, number) => [term, number]))
  return (tokens) => {
    const counts = new Map<number, number>()
    for (const token of tokens) {
      const term = numbers.get(token)
      if (term !== undefined) counts.set(term, (counts.get(term) ?? 0) + 1)
    }
    const sum = new Float64Array(dims)
    for (const [term, tf] of counts) {
      const weight = localWeight(tf) * weights[term]
      const row = term * dims
      for (let i = 0; i < dims; i++) sum[i] += weight * basis[row + i]
    }
    let square = 0
    for (let i = 0; i < dims; i++) square += sum[i] * sum[i]
    const vector = new Float32Array(dims)
    if (square === 0) return vector
    const length = Math.sqrt(square)
    for (let i = 0; i < dims; i++) vector[i] = sum[i] / length
    return vector
  }
}
