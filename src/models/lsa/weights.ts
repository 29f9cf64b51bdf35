import type { TermCounts } from '../../text/term-counts.ts'
import { naturalLog } from './logarithm.ts'
import type { Sparse } from './sparse.ts'

/**
 * Log-entropy weight of a term in a text, of N texts (Dumais, "Improving the retrieval of information from external sources", 1991):
 *
 *     weight(t, d) = ln(1 + tf) * (1 + sum over d of p ln p / ln N),  p = tf / (occurrences of t)
 */
export function localWeight(tf: number): number {
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
