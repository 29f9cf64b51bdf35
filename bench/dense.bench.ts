import { openVectors } from '../src/corpus/dense/vectors.ts'
import { rankScores } from '../src/ranking/order.ts'
import { rowCount } from '../src/tables/column.ts'
import { askPeer } from './peer.ts'
import { type BenchRow, benchRow, syntheticVectors, timed } from './synthetic.ts'

const DIMS = 384
const DEPTH = 100
const QUERIES = 32

/**
 * Exact search for the best 100, 384 dims: milliseconds a query, on one core. Baseline: faiss where Python has it
 * (peers/dense.py), else a plain loop over all rows.
 */
export default {
  name: 'dense',
  sizes: [2500, 25_000],
  run(rows: number): BenchRow[] {
    const matrix = syntheticVectors(rows, DIMS)
    const index = openVectors(rowCount(matrix, DIMS), DIMS)
    const asked = Array.from({ length: QUERIES }, (_, i) => Math.floor((i * rows) / QUERIES))
    const queries = asked.map((row) => index.vector(row))
    let next = 0
    const one = () => queries[next++ % QUERIES]
    const plain = () => {
      const query = one()
      const scores = new Float64Array(rows)
      for (let row = 0; row < rows; row++) {
        let sum = 0
        for (let i = 0; i < DIMS; i++) sum += matrix[row * DIMS + i] * query[i]
        scores[row] = sum
      }
      return rankScores(scores, DEPTH)
    }
    const peer = askPeer<[alone: number, together: number]>('dense.py', {
      'rows.f32': new Uint8Array(matrix.buffer),
      'shape.json': JSON.stringify({ dims: DIMS, depth: DEPTH, queries: asked }),
    })
    const alone = timed(QUERIES, () => index.search([one()], DEPTH))
    const block = timed(5, () => index.search(queries, DEPTH)) / QUERIES
    const [first, second] = peer ?? new Array(2).fill(timed(5, plain))
    const name = peer ? 'faiss' : 'a plain loop'
    return [
      benchRow(`${rows} rows, alone`, alone, name, first),
      benchRow(`${rows} rows, ${QUERIES} together`, block, name, second),
    ]
  },
}
