import type { Ranking } from '../types.ts'
import { normalize } from './normalize.ts'
import { rankScores } from './order.ts'

/**
 * A prior over all chunks:
 *
 *     alpha * minmax(cosine) + (1 - alpha) * minmax(BM25)
 *
 * each min-max over all chunks, a chunk that BM25 did not find counting as 0. A constant side gives 0.
 */
export function prior(cosines: ArrayLike<number>, lexical: Ranking, alpha: number, depth: number): Ranking {
  const bm25 = new Float64Array(cosines.length)
  lexical.rows.forEach((row, i) => {
    bm25[row] = lexical.scores[i]
  })
  const dense = normalize({ scores: Float64Array.from(cosines) }, 'minmax')
  const sparse = normalize({ scores: bm25 }, 'minmax')
  return rankScores(
    dense.map((score, row) => alpha * score + (1 - alpha) * sparse[row]),
    depth,
  )
}
