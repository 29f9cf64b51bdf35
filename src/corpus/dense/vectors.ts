import { UserError } from '../../errors.ts'
import { createLayout, MAX_BYTES, openKernel } from '../../kernel.ts'
import type { Mask } from '../../ranking/mask.ts'
import { EMPTY_RANKING, head, rankPairs } from '../../ranking/order.ts'
import type { Ranking } from '../../types.ts'
import { type Candidates, openScan } from './scan.ts'

/**
 * Exact search over the rows of a matrix by dot product, the cosine of L2-normalised rows.
 *
 * A score is the float32 dot product in lane order (dot.wat), as a float64, of the rows that a scan of all in integers selects
 * (scan.ts). A query's result has the same bits alone and in a block.
 */
export interface VectorIndex {
  readonly rows: number
  readonly dims: number
  /**
   * The `depth` rows with the highest cosine for each vector. Zero rows are never found; a zero vector finds nothing.
   */
  search(vectors: readonly Float32Array[], depth: number, options?: SearchOptions): Ranking[]
  /** True if some row (of the mask) is zero: no search finds it, and its cosine is 0. */
  hasZeros(within?: Mask): boolean
  /** Searches, and gives the lowest cosine over all rows that are not zero; 0 if nothing is found. */
  searchWithMin(
    vectors: readonly Float32Array[],
    depth: number,
    options?: Pick<SearchOptions, 'within'>,
  ): { ranking: Ranking; min: number }[]
  /** Cosines of distinct rows, with the same bits as `search`. Overwritten by the next call. */
  cosines(rows: ArrayLike<number>, vector: Float32Array): Float32Array
  /** Cosine of every row for each vector; 0 for zero rows. */
  scores(vectors: readonly Float32Array[]): Float32Array[]
  /** A copy of one row. */
  vector(row: number): Float32Array
}

/** Index that can also find rows by a minimum cosine. */
interface RowIndex extends VectorIndex {
  /**
   * Rows from `from` on that could have a cosine of `min` or more, ascending, for each vector. Few others are among them,
   * including some before `from`.
   */
  reaching(vectors: readonly Float32Array[], min: number, from?: number): Uint32Array[]
}

export interface SearchOptions {
  /** Exclusive minimum of cosines; none by default. */
  readonly above?: number
  /** Rows to search; all by default. */
  readonly within?: Mask
}

/** Queries that are scored with all rows while a row is in the nearest cache. */
const BLOCK = 16
/** A mask that keeps at most one row in `FEW` is scored directly in float32: that is cheaper than scanning all rows. */
const FEW = 8

/** Functions of dot.wat; every argument is an address or a count. */
interface DotKernel {
  dots(rows: number, count: number, width: number, queries: number, first: number, out: number): void
  listed(rows: number, list: number, count: number, width: number, query: number, out: number): void
}

/**
 * Opens the search over vectors of `dims` numbers, each the bytes of its float32; they are copied. Throws if a number is
 * not finite, and a UserError if the rows do not fit in 4 GB.
 */
export function openVectors(vectors: readonly Uint8Array[], dims: number): RowIndex {
  const { rows, width, kernel, floatsAt, queriesAt, listAt, outAt, floats, queries, list, out } = openMatrix(
    vectors,
    dims,
  )
  const scan = openScan(floats, rows, width)
  const { scales } = scan
  const zeros = scales.includes(0)

  function requireDims(vector: Float32Array): void {
    if (vector.length !== dims) throw new Error(`a vector of ${vector.length} dims against rows of ${dims}`)
  }

  function cosines(chosen: ArrayLike<number>, vector: Float32Array): Float32Array {
    requireDims(vector)
    queries.set(vector)
    list.set(chosen)
    kernel.listed(floatsAt, listAt, chosen.length, width, queriesAt, outAt)
    return out.subarray(0, chosen.length)
  }

  function find(
    vectors: readonly Float32Array[],
    depth: number,
    { above = Number.NEGATIVE_INFINITY, within }: SearchOptions,
    withMin: boolean,
  ): { ranking: Ranking; min: number }[] {
    vectors.forEach(requireDims)
    const best = (chosen: Uint32Array, scores: Float32Array) => {
      const ranking = rankPairs(chosen, scores, depth)
      return head(ranking, ranking.scores.filter((score) => score > above).length)
    }
    const nothing = { ranking: EMPTY_RANKING, min: 0 }
    if (within && FEW * within.rows.length <= rows) {
      const few = within.rows.filter((row) => scales[row] !== 0)
      return vectors.map((vector) => {
        if (few.length === 0 || vector.every((value) => value === 0)) return nothing
        const scores = cosines(few, vector)
        return { ranking: best(few, scores), min: minOf(scores) }
      })
    }
    return scan
      .each(vectors, (side, vector) => {
        const min = withMin ? lowest(side(-1), vector, within?.kept) : 0
        if (depth < 1) return { ranking: EMPTY_RANKING, min }
        const highest = side(1)
        const likely = highest.likely(depth, within?.kept)
        const reached = likely.length < depth ? above : Math.max(above, minOf(cosines(likely, vector)))
        const chosen = highest.above(reached, within?.kept)
        return { ranking: best(chosen, cosines(chosen, vector)), min }
      })
      .map((found) => found ?? nothing)
  }

  function lowest({ likely, above }: Candidates, vector: Float32Array, kept?: Uint8Array): number {
    const first = likely(1, kept)
    return first.length === 0 ? 0 : minOf(cosines(above(-minOf(cosines(first, vector)), kept), vector))
  }

  return {
    rows,
    dims,
    hasZeros: (within) => zeros && (within?.rows.some((row) => scales[row] === 0) ?? true),
    search: (vectors, depth, options = {}) =>
      find(vectors, depth, options, false).map(({ ranking }) => ranking),
    searchWithMin: (vectors, depth, options = {}) => find(vectors, depth, options, true),
    reaching(vectors, min, from) {
      vectors.forEach(requireDims)
      return scan
        .each(vectors, (side) => side(1).above(min), from)
        .map((found) => found ?? new Uint32Array(0))
    },
    cosines,
    scores(vectors) {
      vectors.forEach(requireDims)
      const found: Float32Array[] = []
      for (let from = 0; from < vectors.length; from += BLOCK) {
        const block = vectors.slice(from, from + BLOCK)
        block.forEach((vector, lane) => {
          queries.set(vector, lane * width)
        })
        kernel.dots(floatsAt, rows, width, block.length, queriesAt, outAt)
        block.forEach((_, lane) => {
          found.push(out.slice(lane * rows, (lane + 1) * rows))
        })
      }
      return found
    },
    vector: (row) => floats.slice(row * width, row * width + dims),
  }
}

/** Rows in the kernel's memory, with room for queries and scores. */
function openMatrix(vectors: readonly Uint8Array[], dims: number) {
  const rows = dims === 0 ? 0 : vectors.length
  // Rows are padded with zeros to a multiple of 16; adding 0 to a lane changes nothing.
  const width = Math.max(16, Math.ceil(dims / 16) * 16)
  const { reserve, bytes } = createLayout()
  const floatsAt = reserve(4 * rows * width)
  const queriesAt = reserve(4 * BLOCK * width)
  const listAt = reserve(4 * rows)
  const outAt = reserve(4 * BLOCK * rows)
  if (bytes() > MAX_BYTES)
    throw new UserError(
      `exact search over ${rows} vectors of ${dims} dims wants ${(bytes() / 2 ** 30).toFixed(1)} GB; it can hold 4`,
    )
  const { functions: kernel, memory } = openKernel<DotKernel>(new URL('./dot.wasm', import.meta.url), bytes())
  const floatBytes = new Uint8Array(memory, floatsAt, 4 * rows * width)
  vectors.slice(0, rows).forEach((vector, row) => {
    if (vector.length !== 4 * dims) throw new Error(`${vector.length} bytes are no vector of ${dims} dims`)
    floatBytes.set(vector, 4 * row * width)
  })
  return {
    rows,
    width,
    kernel,
    floatsAt,
    queriesAt,
    listAt,
    outAt,
    floats: new Float32Array(memory, floatsAt, rows * width),
    queries: new Float32Array(memory, queriesAt, BLOCK * width),
    list: new Uint32Array(memory, listAt, rows),
    out: new Float32Array(memory, outAt, BLOCK * rows),
  }
}

function minOf(values: Float32Array): number {
  return values.reduce((a, b) => Math.min(a, b))
}
