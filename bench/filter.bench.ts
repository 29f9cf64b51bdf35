import { openVectors } from '../src/corpus/dense/vectors.ts'
import { createBm25, createLexicon } from '../src/corpus/lexical/bm25-search.ts'
import { maskOf } from '../src/ranking/mask.ts'
import { rowCount } from '../src/tables/column.ts'
import { countTerms } from '../src/text/term-counts.ts'
import { type BenchRow, benchRow, syntheticTexts, syntheticVectors, timed } from './synthetic.ts'

const DIMS = 384
const DEPTH = 100
const QUERIES = 32
/** One row in so many is kept. */
const KEPT = [2, 10, 100]
const analyze = (text: string) => text.split(' ')

/**
 * Search for the best 100 under a filter: milliseconds a query. Baseline: the same search over all rows. Also an index of only the allowed rows, which is possible if all queries share the filter.
 */
export default {
  name: 'filter',
  sizes: [2500, 25_000],
  run(size: number): BenchRow[] {
    const matrix = syntheticVectors(size, DIMS)
    const dense = openVectors(rowCount(matrix, DIMS), DIMS)
    const vectors = Array.from({ length: QUERIES }, (_, i) => dense.vector(Math.floor((i * size) / QUERIES)))
    const texts = syntheticTexts(size)
    const queries = texts.slice(0, QUERIES).map((text) => text.split(' ').slice(0, 8).join(' '))
    const params = { k1: 0.9, b: 0.4, idf: 'lucene' } as const
    const bm25 = createBm25(createLexicon(countTerms(texts, analyze), analyze), params)
    let next = 0
    const nearest = (index: typeof dense, within?: ReturnType<typeof maskOf>) =>
      timed(QUERIES, () => index.search([vectors[next++ % QUERIES]], DEPTH, { within }))
    const lexical = (search: (query: string) => unknown) =>
      timed(QUERIES, () => search(queries[next++ % QUERIES]))
    const allDense = nearest(dense)
    const allBm25 = lexical((query) => bm25.search(query, DEPTH))
    return KEPT.flatMap((every) => {
      const mask = maskOf(Uint8Array.from({ length: size }, (_, row) => (row % every === 0 ? 1 : 0)))
      const own = new Float32Array(mask.rows.length * DIMS)
      mask.rows.forEach((row, i) => {
        own.set(matrix.subarray(row * DIMS, (row + 1) * DIMS), i * DIMS)
      })
      const alone = openVectors(rowCount(own, DIMS), DIMS)
      const lexicalAlone = bm25.alone(mask)
      const name = (what: string) => `${size} rows, 1 in ${every} kept, ${what}`
      return [
        benchRow(name('dense, masked'), nearest(dense, mask), 'ours, unfiltered', allDense),
        benchRow(name('dense, index of these'), nearest(alone), 'ours, unfiltered', allDense),
        benchRow(
          name('bm25, masked'),
          lexical((query) => bm25.search(query, DEPTH, mask.kept)),
          'ours, unfiltered',
          allBm25,
        ),
        benchRow(
          name('bm25, index of these (`subset`)'),
          lexical((query) => lexicalAlone.searchWithExtremes(query, DEPTH)),
          'ours, unfiltered',
          allBm25,
        ),
      ]
    })
  },
}
