import { type ImpactParams, type WeightedTerms, weighTerms } from '../../src/corpus/lexical/sums.ts'
import { minMax } from '../../src/ranking/normalize.ts'
import { rankPairs } from '../../src/ranking/order.ts'
import type { TermCounts } from '../../src/text/term-counts.ts'

/** BM25 search as it is defined: add up the impacts of every posting, in the query's order; mask, order, cut. */
export function plainBm25(counts: TermCounts, params: ImpactParams) {
  const { idf, norms, gain } = weighTerms(counts, params)
  function matches(query: WeightedTerms): Map<number, number> {
    const sums = new Map<number, number>()
    query.terms.forEach((term, i) => {
      const weight = query.weights[i]
      for (let at = counts.offsets[term]; at < counts.offsets[term + 1]; at++) {
        const row = counts.rows[at]
        const tf = counts.counts[at]
        sums.set(row, (sums.get(row) ?? 0) + weight * ((idf[term] * (tf * gain)) / (tf + norms[row])))
      }
    })
    return sums
  }
  return {
    search(query: WeightedTerms, depth: number, mask?: Uint8Array) {
      const entries = [...matches(query)].filter(([row]) => mask?.[row] !== 0)
      return rankPairs(
        entries.map(([row]) => row),
        entries.map(([, score]) => score),
        depth,
      )
    },
    scores(query: WeightedTerms, rows: Uint32Array) {
      const sums = matches(query)
      return Float64Array.from(rows, (row) => sums.get(row) ?? Number.NaN)
    },
    extremes(query: WeightedTerms) {
      const sums = matches(query)
      return minMax(Float64Array.from(counts.lengths, (_, row) => sums.get(row) ?? 0))
    },
  }
}
