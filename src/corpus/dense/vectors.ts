import { UserError } from '../../errors.ts'
import { createLayout, MAX_BYTES, openKernel } from '../../kernel.ts'
import type { Mask } from '../../ranking/mask.ts'
import { EMPTY_RANKING, head, rankPairs } from '../../ranking/order.ts'
import type { Ranking } from '../../types.ts'
import {
  createCandidates,
  GROUP_SIZE,
  largestOf,
  quantize,
  type Scanned,
  type ScoreBound,
} from './candidates.ts'

/**
 * Exact search over the rows of a matrix by dot product, the cosine of L2-normalised rows.
 *
 * A score is the float32 dot product in lane order (dot.wat), as a float64. To find the best `depth` rows, all rows are
 * first scored in exact integers: rows as int8, the query as int16. Rows whose integer score plus error bound could be among
 * the best (candidates.ts) are then scored in float32. A query's result has the same bits alone and in a block.
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

/** Queries that are scored while a row is in the processor's registers. */
const BLOCK = 4
/** Queries that are scored with all rows while a row is in the nearest cache. */
const SCORED = 16
/** A mask that keeps at most one row in `FEW` is scored directly in float32: that is cheaper than scanning all rows. */
const FEW = 8
/** Largest absolute value of a row's component as an integer. */
const INT8 = 127
const INT16 = 32_767

/**
 * Opens the search over vectors of `dims` numbers, each the bytes of its float32; they are copied. Throws if a number is
 * not finite, and a UserError if rows in float32 and int8 do not fit in 4 GB.
 */
export function openVectors(vectors: readonly Uint8Array[], dims: number): RowIndex {
  const matrix = openMatrix(vectors, dims)
  const { rows, width, floats, scale, scannedRows } = matrix
  const zeros = scale.includes(0)
  return {
    rows,
    dims,
    hasZeros: (within) => zeros && (within?.rows.some((row) => scale[row] === 0) ?? true),
    search(vectors, depth, options = {}) {
      const few = fewOf(matrix, options.within)
      if (!few) return eachBlock(matrix, vectors, (found) => best(matrix, found, depth, options))
      const { above = Number.NEGATIVE_INFINITY } = options
      return vectors.map((vector) => {
        const ranking = rankFew(matrix, few, vector, depth)
        return head(ranking, ranking.scores.filter((score) => score > above).length)
      })
    },
    searchWithMin(vectors, depth, { within } = {}) {
      const few = fewOf(matrix, within)
      if (few)
        return vectors.map((vector) => {
          const all = rankFew(matrix, few, vector, few.length)
          return { ranking: head(all, depth), min: all.scores.at(-1) ?? 0 }
        })
      return eachBlock(matrix, vectors, (found) => ({
        ranking: best(matrix, found, depth, { within }),
        min: lowest(matrix, found, within?.kept),
      }))
    },
    reaching(vectors, min, from = 0) {
      const first = Math.min(from - (from % 32), Math.max(0, scannedRows - 32))
      const reach = (found: Found) =>
        found.bound.scale === 0
          ? new Uint32Array(0)
          : matrix.candidates.above(scanned(matrix, found, matrix.at.shares), found.bound, min)
      return eachBlock(matrix, vectors, reach, first)
    },
    cosines(chosen, vector) {
      requireDims(matrix, vector)
      return cosinesOf(matrix, chosen, vector)
    },
    scores: (vectors) => scoreAll(matrix, vectors),
    vector: (row) => floats.slice(row * width, row * width + dims),
  }
}

/** Rows in the kernel's memory, in float32 and int8, with the working memory of searches. */
type Matrix = ReturnType<typeof openMatrix>

function openMatrix(vectors: readonly Uint8Array[], dims: number) {
  const rows = dims === 0 ? 0 : vectors.length
  // Rows are padded with zeros to a multiple of 16; adding 0 to a lane changes nothing.
  const width = Math.max(16, Math.ceil(dims / 16) * 16)
  const groups = Math.ceil(rows / GROUP_SIZE)
  // Rows are scanned in pairs, sixteen pairs at a time; scores of padding rows are not read.
  const scannedRows = Math.ceil(rows / 32) * 32
  const { reserve, bytes } = createLayout()
  const at = {
    floats: reserve(4 * rows * width),
    query: reserve(4 * SCORED * width),
    queries: reserve(2 * BLOCK * width),
    pairs: reserve(scannedRows * width),
    scales: reserve(8 * rows),
    sizes: reserve(8 * rows),
    errors: reserve(8 * rows),
    out: reserve(4 * Math.max(SCORED * rows, BLOCK * scannedRows)),
    shares: reserve(4 * GROUP_SIZE * groups),
    turned: reserve(4 * GROUP_SIZE * groups),
    peaks: reserve(4 * groups),
    list: reserve(4 * rows),
    cosines: reserve(4 * rows),
  }
  if (bytes() > MAX_BYTES)
    throw new UserError(
      `exact search over ${rows} vectors of ${dims} dims wants ${(bytes() / 2 ** 30).toFixed(1)} GB; it can hold 4`,
    )
  const binaries = ['dot', 'quantize'].map((name) => new URL(`./${name}.wasm`, import.meta.url))
  const { functions: kernel, memory } = openKernel<DotKernel>(binaries, bytes())
  copyRows(new Uint8Array(memory, at.floats, 4 * rows * width), vectors.slice(0, rows), dims, width)
  kernel.quantize(at.floats, rows, width, at.pairs, at.scales, at.sizes, at.errors)
  const scale = new Float64Array(memory, at.scales, rows)
  const largest = largestOf(scale)
  if (!Number.isFinite(largest)) throw new Error('a vector holds a number that is not finite')
  if (largest > 0) {
    new Float32Array(memory, at.shares, rows).set(scale.map((value) => value / largest))
    new Float32Array(memory, at.turned, rows).set(scale.map((value) => -value / largest))
  }
  return {
    rows,
    dims,
    width,
    groups,
    scannedRows,
    at,
    kernel,
    scale,
    // The int32 sums must not overflow.
    limit: Math.min(INT16, Math.floor((2 ** 31 - 1) / (INT8 * width))),
    candidates: createCandidates({
      scale,
      size: new Float64Array(memory, at.sizes, rows),
      error: new Float64Array(memory, at.errors, rows),
    }),
    floats: new Float32Array(memory, at.floats, rows * width),
    query: new Float32Array(memory, at.query, SCORED * width),
    queries: new Int16Array(memory, at.queries, BLOCK * width),
    out: new Int32Array(memory, at.out, BLOCK * scannedRows),
    exact: new Float32Array(memory, at.out, SCORED * rows),
    list: new Uint32Array(memory, at.list, rows),
    cosines: new Float32Array(memory, at.cosines, rows),
    peaks: new Float32Array(memory, at.peaks, groups),
  }
}

function copyRows(into: Uint8Array, vectors: readonly Uint8Array[], dims: number, width: number): void {
  vectors.forEach((vector, row) => {
    if (vector.length !== 4 * dims) throw new Error(`${vector.length} bytes are no vector of ${dims} dims`)
    into.set(vector, 4 * row * width)
  })
}

function requireDims({ dims }: Matrix, vector: Float32Array): void {
  if (vector.length !== dims) throw new Error(`a vector of ${vector.length} dims against rows of ${dims}`)
}

/** Fills `out` with the integer scores of up to four vectors, list after list, of the rows from `first` on. */
function scan(matrix: Matrix, block: readonly Float32Array[], first: number): ScoreBound[] {
  const { kernel, at, width, limit, queries, scannedRows } = matrix
  // Four vectors together cost less than three single ones.
  const together = block.length > 2
  queries.fill(0)
  const bounds = block.map((vector, lane) => {
    const { scale, size, error } = together
      ? quantize(vector, limit, queries, 8 * lane, 8 * BLOCK)
      : quantize(vector, limit, queries, lane * width, 8)
    // Float32 rounds `width` products and sums; `(width + 16) * 2^-24` of the lengths exceeds the error.
    return { scale, size, slack: error + (width + 16) * 2 ** -24 * size }
  })
  const length = scannedRows - first
  const pairs = at.pairs + first * width
  if (together) kernel.scan4(pairs, length / 2, width, at.queries, at.out)
  else
    for (let lane = 0; lane < block.length; lane++)
      kernel.scan(pairs, length / 2, width, at.queries + 2 * lane * width, at.out + 4 * lane * length)
  return bounds
}

/** Cosines of chosen rows, overwritten by the next call. */
function cosinesOf(matrix: Matrix, chosen: ArrayLike<number>, vector: Float32Array): Float32Array {
  const { kernel, at, width, query, list, cosines } = matrix
  query.set(vector)
  list.set(chosen)
  kernel.listed(at.floats, at.list, chosen.length, width, at.query, at.cosines)
  return cosines.subarray(0, chosen.length)
}

/** Vector of a scanned block: its place in the block, its bound, and the first row of the scan. */
interface Found {
  readonly vector: Float32Array
  readonly lane: number
  readonly bound: ScoreBound
  readonly first: number
}

/** Scans block after block of the vectors, and reads each vector's scores before the next scan overwrites them. */
function eachBlock<T>(
  matrix: Matrix,
  vectors: readonly Float32Array[],
  read: (found: Found) => T,
  first = 0,
): T[] {
  for (const vector of vectors) requireDims(matrix, vector)
  const results: T[] = []
  for (let from = 0; from < vectors.length; from += BLOCK) {
    const block = vectors.slice(from, from + BLOCK)
    scan(matrix, block, first).forEach((bound, lane) => {
      results.push(read({ vector: block[lane], lane, bound, first }))
    })
  }
  return results
}

/** Integer scores of the last scan with their peaks. `shares` is the address of the rows' shares. */
function scanned(matrix: Matrix, { lane, first }: Found, shares: number): Scanned {
  const { kernel, at, rows, groups, scannedRows, out, peaks } = matrix
  const begin = lane * (scannedRows - first)
  const skipped = first / GROUP_SIZE
  kernel.peaks(shares + 4 * first, at.out + 4 * begin, groups - skipped, at.peaks)
  return {
    first,
    integers: out.subarray(begin, begin + rows - first),
    peaks: peaks.subarray(0, groups - skipped),
  }
}

function best(
  matrix: Matrix,
  found: Found,
  depth: number,
  { above = Number.NEGATIVE_INFINITY, within }: SearchOptions,
): Ranking {
  const { vector, bound } = found
  if (bound.scale === 0 || depth < 1) return EMPTY_RANKING
  const { candidates, at } = matrix
  const integers = scanned(matrix, found, at.shares)
  const likely = candidates.likely(integers, bound, depth, within?.kept)
  const reached = likely.length < depth ? above : Math.max(above, minOf(cosinesOf(matrix, likely, vector)))
  const chosen = candidates.above(integers, bound, reached, within?.kept)
  const ranking = rankPairs(chosen, cosinesOf(matrix, chosen, vector), depth)
  return head(ranking, ranking.scores.filter((score) => score > above).length)
}

/** Lowest cosine: the highest of the negated vector. */
function lowest(matrix: Matrix, found: Found, kept?: Uint8Array): number {
  const { vector, bound } = found
  if (bound.scale === 0) return 0
  const { candidates, at } = matrix
  const integers = scanned(matrix, found, at.turned)
  const negated = { ...bound, scale: -bound.scale }
  const likely = candidates.likely(integers, negated, 1, kept)
  if (likely.length === 0) return 0
  const chosen = candidates.above(integers, negated, -minOf(cosinesOf(matrix, likely, vector)), kept)
  return minOf(cosinesOf(matrix, chosen, vector))
}

/** Rows of a mask that keeps few, without zero rows; undefined if it keeps more. */
function fewOf({ rows, scale }: Matrix, within: Mask | undefined): Uint32Array | undefined {
  return within && FEW * within.rows.length <= rows
    ? within.rows.filter((row) => scale[row] !== 0)
    : undefined
}

/** Ranks few rows by their cosines; empty for a zero vector. */
function rankFew(matrix: Matrix, few: Uint32Array, vector: Float32Array, depth: number): Ranking {
  requireDims(matrix, vector)
  return vector.some((value) => value !== 0)
    ? rankPairs(few, cosinesOf(matrix, few, vector), depth)
    : EMPTY_RANKING
}

function scoreAll(matrix: Matrix, vectors: readonly Float32Array[]): Float32Array[] {
  const { kernel, at, rows, width, query, exact } = matrix
  for (const vector of vectors) requireDims(matrix, vector)
  const found: Float32Array[] = []
  for (let from = 0; from < vectors.length; from += SCORED) {
    const block = vectors.slice(from, from + SCORED)
    block.forEach((vector, lane) => {
      query.set(vector, lane * width)
    })
    kernel.dots(at.floats, rows, width, block.length, at.query, at.out)
    for (let lane = 0; lane < block.length; lane++) found.push(exact.slice(lane * rows, (lane + 1) * rows))
  }
  return found
}

function minOf(values: Float32Array): number {
  return values.reduce((a, b) => Math.min(a, b))
}

/** Functions of dot.wat and quantize.wat; every argument is an address or a count. */
interface DotKernel {
  quantize(rows: number, count: number, width: number, ...out: readonly number[]): void
  scan(pairs: number, count: number, width: number, query: number, out: number): void
  scan4(pairs: number, count: number, width: number, queries: number, out: number): void
  peaks(shares: number, scores: number, groups: number, out: number): void
  dots(rows: number, count: number, width: number, queries: number, first: number, out: number): void
  listed(rows: number, list: number, count: number, width: number, query: number, out: number): void
}
