import type { Ranking } from '../types.ts'
import { createBest } from './best.ts'
import { minMax, normalize } from './normalize.ts'
import { rankPairs } from './order.ts'

/** What is known of the cosines of all rows: between what each lies, and exactly those of chosen rows, at a cost. */
export interface Cosines {
  readonly lower: Float64Array
  readonly upper: Float64Array
  readonly exact: (rows: readonly number[]) => ArrayLike<number>
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
  const sparse = scaledLexical(lexical, chunks)
  const { min, max } = exactEnds({ lower, upper, exact })
  const width = max - min
  const share = 1 - alpha
  const value = (cosine: number, row: number) =>
    alpha * (width === 0 ? 0 : (cosine - min) / width) + share * sparse[row]
  const surely = createBest(Math.min(depth, chunks), chunks)
  let bar = Number.NaN
  for (let row = 0; row < chunks; row++) {
    const low = value(lower[row], row)
    if (!(low < bar)) bar = surely.offer(row, low)
  }
  const { scores } = surely.take()
  const floor = scores.length === 0 ? Number.POSITIVE_INFINITY : scores[scores.length - 1]
  const rows: number[] = []
  for (let row = 0; row < chunks; row++) if (value(upper[row], row) >= floor) rows.push(row)
  const cosines = exact(rows)
  return rankPairs(
    rows,
    rows.map((row, i) => value(cosines[i], row)),
    depth,
  )
}

/** BM25 of every chunk, min-max over all of them. */
function scaledLexical({ rows, scores }: Pick<Ranking, 'rows' | 'scores'>, chunks: number): Float64Array {
  const found = rows.length
  // One 0 stands for all chunks that BM25 did not find.
  const some = new Float64Array(Math.min(found + 1, chunks))
  some.set(scores)
  const scaled = normalize({ scores: some }, 'minmax')
  const sparse = new Float64Array(chunks)
  if (found < chunks) sparse.fill(scaled[found])
  for (let i = 0; i < found; i++) sparse[rows[i]] = scaled[i]
  return sparse
}

/** The lowest and the highest cosine: only rows that could have it need theirs. */
function exactEnds({ lower, upper, exact }: Cosines): { min: number; max: number } {
  const below = minMax(upper).min
  const above = minMax(lower).max
  const rows: number[] = []
  for (let row = 0; row < upper.length; row++) if (lower[row] <= below || upper[row] >= above) rows.push(row)
  return minMax(Float64Array.from(exact(rows)))
}
