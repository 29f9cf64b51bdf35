import type { Ranking } from '../types.ts'
import { normalize } from './normalize.ts'
import { rankPairs, rankScores } from './order.ts'

/** What is known of the cosines of all rows: between what each lies, and each exactly, at a cost. */
export interface Cosines {
  readonly lower: Float64Array
  readonly upper: Float64Array
  readonly exact: (row: number) => number
}

/**
 * A prior over all chunks:
 *
 *     alpha * minmax(cosine) + (1 - alpha) * minmax(BM25)
 *
 * each min-max over all chunks, a chunk that BM25 did not find counting as 0. A constant side gives 0. `lexical` holds
 * the chunks that BM25 found, in any order.
 *
 * Rounding never turns an order around, so bounds of cosines give bounds of the sum as it would be computed; only
 * chunks that could be the first, the last, or among the `depth` best need their cosine.
 */
export function prior(
  { lower, upper, exact }: Cosines,
  lexical: Pick<Ranking, 'rows' | 'scores'>,
  alpha: number,
  depth: number,
): Ranking {
  const chunks = lower.length
  const bm25 = new Float64Array(chunks)
  lexical.rows.forEach((row, i) => {
    bm25[row] = lexical.scores[i]
  })
  const sparse = normalize({ scores: bm25 }, 'minmax')
  const least = leastExact(lower, upper, exact)
  const width = mostExact(lower, upper, exact) - least
  const value = (cosine: number, row: number) =>
    alpha * (width === 0 ? 0 : (cosine - least) / width) + (1 - alpha) * sparse[row]
  const low = new Float64Array(chunks)
  for (let row = 0; row < chunks; row++) low[row] = value(lower[row], row)
  const surely = rankScores(low, depth).scores
  const floor = surely.length === 0 ? Number.POSITIVE_INFINITY : surely[surely.length - 1]
  const rows: number[] = []
  for (let row = 0; row < chunks; row++) if (value(upper[row], row) >= floor) rows.push(row)
  return rankPairs(
    rows,
    rows.map((row) => value(exact(row), row)),
    depth,
  )
}

function leastExact(lower: Float64Array, upper: Float64Array, exact: (row: number) => number): number {
  let most = Number.POSITIVE_INFINITY
  for (let row = 0; row < upper.length; row++) if (upper[row] < most) most = upper[row]
  let least = Number.POSITIVE_INFINITY
  for (let row = 0; row < lower.length; row++) if (lower[row] <= most) least = Math.min(least, exact(row))
  return least
}

function mostExact(lower: Float64Array, upper: Float64Array, exact: (row: number) => number): number {
  let least = Number.NEGATIVE_INFINITY
  for (let row = 0; row < lower.length; row++) if (lower[row] > least) least = lower[row]
  let most = Number.NEGATIVE_INFINITY
  for (let row = 0; row < upper.length; row++) if (upper[row] >= least) most = Math.max(most, exact(row))
  return most
}
