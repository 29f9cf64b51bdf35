import { openVectors } from '../src/corpus/dense/vectors.ts'
import { rankScores } from '../src/ranking/order.ts'
import { rowCount } from '../src/tables/column.ts'
import { type BenchRow, benchRow, syntheticVectors, timed } from './synthetic.ts'

const DIMS = 384
const DEPTH = 100
const QUERIES = 32

/** Exact search for the best 100, 384 dims: milliseconds a query. Baseline: a plain loop over all rows. */
export default {
  name: 'dense',
  async run(sizes: readonly number[]): Promise<BenchRow[]> {
    return sizes.flatMap((rows) => {
      const matrix = syntheticVectors(rows, DIMS)
      const index = openVectors(rowCount(matrix, DIMS), DIMS)
      const queries = Array.from({ length: QUERIES }, (_, i) =>
        index.vector(Math.floor((i * rows) / QUERIES)),
      )
      let next = 0
      const one = () => queries[next++ % QUERIES]
      const plain = timed(5, () => {
        const query = one()
        const scores = new Float64Array(rows)
        for (let row = 0; row < rows; row++) {
          let sum = 0
          for (let i = 0; i < DIMS; i++) sum += matrix[row * DIMS + i] * query[i]
          scores[row] = sum
        }
        return rankScores(scores, DEPTH)
      })
      const alone = timed(QUERIES, () => index.search([one()], DEPTH))
      const block = timed(5, () => index.search(queries, DEPTH)) / QUERIES
      return [
        benchRow(`${rows} rows, alone`, alone, plain),
        benchRow(`${rows} rows, ${QUERIES} together`, block, plain),
      ]
    })
  },
}
