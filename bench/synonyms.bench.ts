import { laterNeighbours } from '../src/corpus/dense/near.ts'
import { openVectors } from '../src/corpus/dense/vectors.ts'
import { findSynonyms, MAX_SYNONYMS, SYNONYM_COSINE } from '../src/corpus/graph/hippo-graph.ts'
import { rowCount } from '../src/tables/column.ts'
import { type BenchRow, benchRow, syntheticVectors, timed } from './synthetic.ts'

const DIMS = 384
const ASKED = 256

/**
 * Synonyms of entity names, 384 dims: milliseconds a name, over all names, without one-time preparation. Baseline: the
 * search for the best 101 of each, cut at the cosine.
 */
export default {
  name: 'synonyms',
  sizes: [2500, 40_000],
  run(rows: number): BenchRow[] {
    const index = openVectors(rowCount(syntheticVectors(rows, DIMS), DIMS), DIMS)
    const near = laterNeighbours(index, SYNONYM_COSINE)
    const keys = Array.from({ length: rows }, (_, row) => `name ${row}`)
    const asked = Array.from({ length: ASKED }, (_, row) => index.vector(row))
    return [
      benchRow(
        `${rows} names`,
        timed(rows > 10_000 ? 1 : 5, () => findSynonyms(keys, near)) / rows,
        'our search',
        timed(5, () => index.search(asked, MAX_SYNONYMS + 1)) / ASKED,
      ),
    ]
  },
}
