import { UserError } from '../../errors.ts'
import { createLayout, MAX_BYTES, openKernel } from '../../kernel.ts'
import type { TermCounts } from '../../text/term-counts.ts'
import type { Ranking } from '../../types.ts'

/**
 * Params of BM25, with N chunks and n chunks that contain t; lengths in tokens:
 *
 *     impact(t, d) = idf(t) * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length(d) / meanLength))
 *     lucene: idf(t) = ln(1 + (N - n + 0.5) / (n + 0.5))
 *     okapi:  idf(t) = ln((N - n + 0.5) / (n + 0.5)), negative values replaced by 0.25 x the mean idf before (as rank_bm25)
 */
export interface ImpactParams {
  readonly k1: number
  readonly b: number
  readonly idf: 'lucene' | 'okapi'
}

/** Factors of an impact: (idf[t] * (tf * gain)) / (tf + norms[d]). */
interface Weighting {
  readonly idf: Float64Array
  /** Length normalisation by chunk: k1 * (1 - b + b * length / mean length). */
  readonly norms: Float64Array
  readonly gain: number
}

export function weighTerms(
  { offsets, lengths }: Pick<TermCounts, 'offsets' | 'lengths'>,
  { k1, b, idf }: ImpactParams,
): Weighting {
  const chunks = lengths.length
  const mean = lengths.reduce((sum, length) => sum + length, 0) / chunks
  const holders = Uint32Array.from(
    { length: offsets.length - 1 },
    (_, term) => offsets[term + 1] - offsets[term],
  )
  return {
    idf: idf === 'lucene' ? luceneIdf(holders, chunks) : okapiIdf(holders, chunks),
    norms: Float64Array.from(lengths, (length) => k1 * (1 - b + (b * length) / mean)),
    gain: k1 + 1,
  }
}

function luceneIdf(holders: Uint32Array, chunks: number): Float64Array {
  return Float64Array.from(holders, (n) => Math.log(1 + (chunks - n + 0.5) / (n + 0.5)))
}

function okapiIdf(holders: Uint32Array, chunks: number): Float64Array {
  const weights = Float64Array.from(holders, (n) => Math.log((chunks - n + 0.5) / (n + 0.5)))
  const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length
  return weights.map((weight) => (weight < 0 ? 0.25 * mean : weight))
}

/** Counts are fractions if fields are weighted. */
export type Postings = Omit<TermCounts, 'counts'> & { readonly counts: Uint32Array | Float64Array }

/** Terms of a query in its order, and the weight of each: 1 for a token of a text. */
export interface WeightedTerms {
  readonly terms: readonly number[]
  readonly weights: readonly number[]
}

/** Sums of weight times impact by row, in the query's order. */
export interface Sums {
  /** Sum by row; -0 for a row without a matching term. The next call reuses the memory. */
  add(weighting: Weighting, query: WeightedTerms): Float64Array
  /** The `depth` rows with the highest sums of the last query. `allowed`: a byte for each row, 0 for rows to leave out. */
  best(depth: number, allowed?: Uint8Array): Ranking
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
    best(depth, allowed) {
      if (allowed) for (let row = 0; row < chunks; row++) if (allowed[row] === 0) sums[row] = -0
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
