import { openVectors } from '../src/corpus/dense/vectors.ts'
import { rowCount } from '../src/tables/column.ts'
import { askPeer } from './peer.ts'
import { type BenchRow, benchRow, syntheticVectors, timed } from './synthetic.ts'

const DIMS = 384
const DEPTH = 100
const QUERIES = 32

/** Exact search for the best 100, 384 dims: milliseconds a query, on one core. Peer: faiss. */
export default {
  name: 'dense',
  sizes: [25_000],
  run(rows: number): BenchRow[] {
    const matrix = syntheticVectors(rows, DIMS)
    const index = openVectors(rowCount(matrix, DIMS), DIMS)
    const asked = Array.from({ length: QUERIES }, (_, i) => Math.floor((i * rows) / QUERIES))
    const queries = asked.map((row) => index.vector(row))
    let next = 0
    const one = () => queries[next++ % QUERIES]
    const peer = askPeer<[alone: number, together: number]>('dense', {
      'rows.f32': new Uint8Array(matrix.buffer),
      'shape.json': JSON.stringify({ dims: DIMS, depth: DEPTH, queries: asked }),
    })
    const alone = timed(QUERIES, () => index.search([one()], DEPTH))
    const block = timed(5, () => index.search(queries, DEPTH)) / QUERIES
    return [
      benchRow(`${rows} rows, alone`, alone, 'faiss', peer?.[0]),
      benchRow(`${rows} rows, ${QUERIES} together`, block, 'faiss', peer?.[1]),
    ]
  },
}
