import { UserError } from '../../errors.ts'
import { createLayout, MAX_BYTES, openKernel } from '../../kernel.ts'
import type { Mask } from '../../ranking/mask.ts'
import { EMPTY_RANKING, rankScores } from '../../ranking/order.ts'
import type { Ranking } from '../../types.ts'

/**
 * Exact search over rows by dot product, the cosine of L2-normalised rows. A score is the float32 dot product in lane
 * order (dot.wat), as a float64. Results have the same bits alone and in a block. A scan in int8 that rules out rows
 * first took three times the code and saved less than half of the time.
 */
export interface VectorIndex extends VectorSearch {
  readonly rows: number
  readonly dims: number
  /** Cosines of distinct rows, with the same bits as `search`. Overwritten by the next call. */
  cosines(rows: ArrayLike<number>, vector: Float32Array): Float32Array
  /** Cosine of every row for each vector; 0 for zero rows. */
  scores(vectors: readonly Float32Array[]): Float32Array[]
  vector(row: number): Float32Array
}

interface VectorSearch {
  /** The `depth` best rows for each vector. Zero rows are never found; a zero vector finds nothing. */
  search(vectors: readonly Float32Array[], depth: number, options?: SearchOptions): Ranking[]
  /** True if some row (of the mask) is zero. */
  hasZeros(mask?: Mask): boolean
  /** Searches, and gives the lowest cosine of all rows that are not zero; 0 if nothing is found. */
  searchWithMin(
    vectors: readonly Float32Array[],
    depth: number,
    options?: Pick<SearchOptions, 'within'>,
  ): { ranking: Ranking; min: number }[]
}

interface SearchOptions {
  /** Exclusive minimum of cosines; none by default. */
  readonly above?: number
  readonly within?: Mask
}

/** Queries that are scored with all rows while a row is in the nearest cache. */
const BLOCK = 16

/** Functions of dot.wat; every argument is an address or a count. */
interface DotKernel {
  dots(
    rows: number,
    list: number,
    count: number,
    width: number,
    query: number,
    queries: number,
    out: number,
  ): void
}

/**
 * Opens the search over vectors of `dims` numbers, each as the bytes of its float32. Throws if a number is not finite, and
 * a UserError if the rows do not fit in 4 GB.
 */
export function openVectors(
  vectors: readonly Uint8Array[],
  dims: number,
): VectorIndex & {
  /** Cosines of the rows from `first` on, for each of at most 16 vectors. Overwritten by the next call. */
  scoresFrom(first: number, block: readonly Float32Array[]): Float32Array[]
} {
  const rows = dims === 0 ? 0 : vectors.length
  // Rows are padded with zeros to a multiple of 16; adding 0 to a lane changes nothing.
  const width = Math.max(16, Math.ceil(dims / 16) * 16)
  const { reserve, bytes } = createLayout()
  const floatsAt = reserve(4 * rows * width)
  const queriesAt = reserve(4 * BLOCK * width)
  const everyAt = reserve(4 * rows)
  const chosenAt = reserve(4 * rows)
  const outAt = reserve(4 * BLOCK * rows)
  if (bytes() > MAX_BYTES)
    throw new UserError(
      `exact search over ${rows} vectors of ${dims} dims wants ${(bytes() / 2 ** 30).toFixed(1)} GB; it can hold 4`,
    )
  const { functions: kernel, memory } = openKernel<DotKernel>(new URL('./dot.wasm', import.meta.url), bytes())
  const floats = new Float32Array(memory, floatsAt, rows * width)
  const queries = new Float32Array(memory, queriesAt, BLOCK * width)
  const every = new Uint32Array(memory, everyAt, rows)
  const chosenRows = new Uint32Array(memory, chosenAt, rows)
  const out = new Float32Array(memory, outAt, BLOCK * rows)
  const floatBytes = new Uint8Array(memory, floatsAt, 4 * rows * width)
  const nonzero = new Uint8Array(rows)
  for (let row = 0; row < rows; row++) {
    every[row] = row
    const vector = vectors[row]
    if (vector.length !== 4 * dims) throw new Error(`${vector.length} bytes are no vector of ${dims} dims`)
    floatBytes.set(vector, 4 * row * width)
    let square = 0
    for (let i = row * width; i < (row + 1) * width; i++) square += floats[i] * floats[i]
    if (!Number.isFinite(square)) throw new Error('a vector holds a number that is not finite')
    nonzero[row] = square > 0 ? 1 : 0
  }

  function scoresOf(list: number, count: number, block: readonly Float32Array[]): Float32Array[] {
    block.forEach((vector, lane) => {
      if (vector.length !== dims) throw new Error(`a vector of ${vector.length} dims against rows of ${dims}`)
      queries.set(vector, lane * width)
    })
    kernel.dots(floatsAt, list, count, width, queriesAt, block.length, outAt)
    return block.map((_, lane) => out.subarray(lane * count, (lane + 1) * count))
  }

  const scoresFrom = (first: number, block: readonly Float32Array[]) =>
    scoresOf(everyAt + 4 * first, Math.max(0, rows - first), block)

  return {
    rows,
    dims,
    ...searchByScores((block) => scoresFrom(0, block), nonzero, BLOCK),
    cosines(chosen, vector) {
      chosenRows.set(chosen)
      return scoresOf(chosenAt, chosen.length, [vector])[0]
    },
    scores: (vectors) =>
      inBlocks(vectors, BLOCK, (block) => scoresFrom(0, block).map((scores) => scores.slice())),
    vector: (row) => floats.slice(row * width, row * width + dims),
    scoresFrom,
  }
}

/**
 * Search by the scores of all rows, `atOnce` vectors at a time. Rows whose byte in `nonzero` is 0 are never found.
 */
export function searchByScores(
  scores: (block: readonly Float32Array[]) => Float32Array[],
  nonzero: Uint8Array,
  atOnce: number,
): VectorSearch {
  const searched = (mask?: Mask) => (mask ? nonzero.map((byte, row) => byte & mask.kept[row]) : nonzero)
  function find<T>(
    vectors: readonly Float32Array[],
    depth: number,
    { above, within }: SearchOptions,
    read: (ranking: Ranking, all: Float32Array, kept: Uint8Array) => T,
  ): T[] {
    const allowed = searched(within)
    const nothing = new Float32Array(0)
    return inBlocks(vectors, atOnce, (block) =>
      scores(block).map((all, i) =>
        block[i].every((value) => value === 0)
          ? read(EMPTY_RANKING, nothing, allowed)
          : read(rankScores(all, depth, { above, within: allowed }), all, allowed),
      ),
    )
  }
  return {
    hasZeros: (mask) => nonzero.some((byte, row) => byte === 0 && mask?.kept[row] !== 0),
    search: (vectors, depth, options = {}) => find(vectors, depth, options, (ranking) => ranking),
    searchWithMin: (vectors, depth, options = {}) =>
      find(vectors, depth, options, (ranking, all, allowed) => {
        let min = Number.POSITIVE_INFINITY
        for (let row = 0; row < all.length; row++) if (allowed[row] === 1) min = Math.min(min, all[row])
        return { ranking, min: min === Number.POSITIVE_INFINITY ? 0 : min }
      }),
  }
}

export function inBlocks<T>(
  vectors: readonly Float32Array[],
  size: number,
  read: (block: readonly Float32Array[]) => T[],
): T[] {
  return vectors.flatMap((_, from) => (from % size === 0 ? read(vectors.slice(from, from + size)) : []))
}
