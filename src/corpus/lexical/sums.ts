import { UserError } from '../../errors.ts'
import { createLayout, MAX_BYTES, openKernel } from '../../kernel.ts'
import type { TermCounts } from '../../text/term-counts.ts'
import type { Ranking } from '../../types.ts'
import type { Weighting } from './impacts.ts'

/** Frequencies are fractions if fields are weighted. */
export type Postings = Omit<TermCounts, 'counts'> & { readonly counts: Uint32Array | Float64Array }

/** Term numbers of a query in its order, and the weight of each: 1 for a token of a text. */
export interface WeightedTerms {
  readonly terms: readonly number[]
  readonly weights: readonly number[]
}

/**
 * Sums of weight times impact by row, in the query's order. Impacts are of one weighting, and computed again for
 * another.
 */
export interface Sums {
  /** Sum by row; -0 for a row without a matching term. The next call reuses the memory. */
  add(weighting: Weighting, query: WeightedTerms): Float64Array
  /** The `depth` rows with the highest sums of the last query. `within`: only rows whose byte is not 0. */
  best(depth: number, within?: Uint8Array): Ranking
}

interface SumsKernel {
  add(sums: number, rows: number, impacts: number, count: number, weight: number): void
  best(sums: number, count: number, heap: number, depth: number): number
}

export function createSums({ offsets, rows, counts, lengths }: Postings): Sums {
  const chunks = lengths.length
  const layout = createLayout()
  const sumsAt = layout.reserve(8 * chunks)
  const bestAt = layout.reserve(16 * chunks)
  const rowsAt = layout.reserve(4 * rows.length)
  const impactsAt = layout.reserve(8 * rows.length)
  if (layout.bytes() > MAX_BYTES)
    throw new UserError(
      `BM25 over ${rows.length} postings needs ${(layout.bytes() / 2 ** 30).toFixed(1)} GB; its kernel can hold 4`,
    )
  const binary = new URL('./sums.wasm', import.meta.url)
  const { functions, memory } = openKernel<SumsKernel>(binary, layout.bytes())
  const sums = new Float64Array(memory, sumsAt, chunks)
  const bestSums = new Float64Array(memory, bestAt, 2 * chunks)
  const bestRows = new Uint32Array(memory, bestAt, 4 * chunks)
  new Uint32Array(memory, rowsAt, rows.length).set(rows)
  const impacts = new Float64Array(memory, impactsAt, rows.length)
  /** 1 for each term whose impacts are those of `current`. */
  const computed = new Uint8Array(offsets.length - 1)
  let current: Weighting | undefined

  function computeImpacts({ idf, norms, gain }: Weighting, term: number): void {
    for (let at = offsets[term]; at < offsets[term + 1]; at++)
      impacts[at] = (idf[term] * (counts[at] * gain)) / (counts[at] + norms[rows[at]])
    computed[term] = 1
  }

  return {
    add(weighting, { terms, weights }) {
      if (current !== weighting) computed.fill(0)
      current = weighting
      sums.fill(-0)
      terms.forEach((term, i) => {
        if (computed[term] === 0) computeImpacts(weighting, term)
        const at = offsets[term]
        functions.add(sumsAt, rowsAt + 4 * at, impactsAt + 8 * at, offsets[term + 1] - at, weights[i])
      })
      return sums
    },
    best(depth, within) {
      if (within) for (let row = 0; row < chunks; row++) if (within[row] === 0) sums[row] = -0
      const count = depth < 1 ? 0 : functions.best(sumsAt, chunks, bestAt, Math.min(depth, chunks))
      const ranking = { rows: new Uint32Array(count), scores: new Float64Array(count) }
      for (let i = 0; i < count; i++) {
        ranking.rows[i] = bestRows[4 * i + 2]
        ranking.scores[i] = bestSums[2 * i]
      }
      return ranking
    },
  }
}
