import { UserError } from '../../errors.ts'
import { createLayout, MAX_BYTES, openKernel } from '../../kernel.ts'
import { createBest } from '../../ranking/best.ts'

/**
 * Selects the rows that could be among the best `depth` of a query, from exact integer scores: rows as int8, the query as
 * int16. Let x be a row, y the query, x' and y' their rounded forms; D the integer dot product. Then
 *
 *     x.y - x'.y' = x'.(y - y') + (x - x').y
 *     |score - scale * D| <= |x'| |y - y'| + |x - x'| |y| + rounding of float32
 *
 * so each score lies within its bound of `scale * D`. If the rows with the best `scale * D` are scored exactly, at least
 * `depth` rows score no less than the lowest of these, so a row whose upper bound is below that cannot be among the best.
 */
interface Scan {
  /** Factor of each row's integers; 0 for a zero row, which is never selected. */
  readonly scales: Float64Array
  /**
   * Scores the rows from `from` on, and a few before it, for each vector that is not zero; `read` selects from them before
   * the next vectors are scored. Undefined for a zero vector.
   */
  each<T>(
    vectors: readonly Float32Array[],
    read: (side: (sign: 1 | -1) => Candidates, vector: Float32Array) => T,
    from?: number,
  ): (T | undefined)[]
}

/** Rows by score, or by negated score if the sign is -1; only rows whose byte in `kept` is not 0. */
export interface Candidates {
  /** About the `depth` best rows; all if there are fewer. */
  likely(depth: number, kept?: Uint8Array): Uint32Array
  /** Rows that could score `min` or more, ascending, and few others. */
  above(min: number, kept?: Uint8Array): Uint32Array
}

/** A vector as integers q: the factor to its numbers, the longer of |x| and |scale * q|, and |x - scale * q|. */
interface Rounded {
  readonly scale: number
  readonly size: number
  readonly error: number
}

/** Functions of scan.wat; every argument is an address or a count. */
interface ScanKernel {
  scan(pairs: number, count: number, width: number, query: number, out: number): void
  scan4(pairs: number, count: number, width: number, queries: number, out: number): void
  peaks(shares: number, scores: number, groups: number, out: number): void
}

/** Vectors that are scored while a row is in the processor's registers. */
const BLOCK = 4
/** Rows per group. Nearly all groups are ruled out by their highest score. */
const GROUP = 16
/** Rows are scored in pairs, sixteen pairs at a time. */
const STEP = 32
/** Largest absolute value of a component as an integer. */
const INT8 = 127
const INT16 = 32_767
/** Covers float64 rounding of the bounds, and float32 products that are subnormal. */
const MARGIN = 1 + 1e-9
const TINY = 1e-30
/** Exceeds the three float32 roundings of a group's highest score. */
const PEAK = 2 ** -22

/** Opens the scan of `rows` rows, `width` numbers each. Throws if a number is not finite, a UserError if they take over 4 GB. */
export function openScan(floats: Float32Array, rows: number, width: number): Scan {
  const matrix = roundRows(floats, rows, width)
  const { scales, scannedRows } = matrix
  return {
    scales,
    each(vectors, read, from = 0) {
      const first = Math.min(from - (from % STEP), Math.max(0, scannedRows - STEP))
      const results: ReturnType<typeof read>[] = []
      for (let begin = 0; begin < vectors.length; begin += BLOCK) {
        const block = vectors.slice(begin, begin + BLOCK)
        score(matrix, block, first).forEach((query, lane) => {
          if (query.scale !== 0)
            results[begin + lane] = read((sign) => candidates(matrix, lane, first, query, sign), block[lane])
        })
      }
      return Array.from(vectors, (_, i) => results[i])
    },
  }
}

/** Rows in the kernel's memory as int8, with room for queries and scores. */
type Matrix = ReturnType<typeof roundRows>

function roundRows(floats: Float32Array, rows: number, width: number) {
  const groups = Math.ceil(rows / GROUP)
  const scannedRows = STEP * Math.ceil(rows / STEP)
  const { reserve, bytes } = createLayout()
  const queriesAt = reserve(2 * BLOCK * width)
  const pairsAt = reserve(scannedRows * width)
  const outAt = reserve(4 * BLOCK * scannedRows)
  const sharesAt = { 1: reserve(4 * GROUP * groups), [-1]: reserve(4 * GROUP * groups) }
  const peaksAt = reserve(4 * groups)
  if (bytes() > MAX_BYTES)
    throw new UserError(
      `exact search over ${rows} vectors wants ${(bytes() / 2 ** 30).toFixed(1)} GB of integers; it can hold 4`,
    )
  const { functions: kernel, memory } = openKernel<ScanKernel>(
    new URL('./scan.wasm', import.meta.url),
    bytes(),
  )
  const queries = new Int16Array(memory, queriesAt, BLOCK * width)
  const pairs = new Int16Array(memory, pairsAt, (scannedRows / 2) * width)
  const scales = new Float64Array(rows)
  const sizes = new Float64Array(rows)
  const errors = new Float64Array(rows)
  const row8 = new Int16Array(width)
  for (let row = 0; row < rows; row++) {
    const { scale, size, error } = round(floats.subarray(row * width, (row + 1) * width), INT8, row8, 0, 8)
    scales[row] = scale
    sizes[row] = size
    errors[row] = error
    const at = (row >> 1) * width
    for (let i = 0; i < width; i++) pairs[at + i] += row % 2 === 0 ? 128 + row8[i] : 256 * row8[i]
  }
  const largest = scales.reduce((a, b) => Math.max(a, b), 0)
  const longest = sizes.reduce((a, b) => Math.max(a, b), 0)
  const worst = errors.reduce((a, b) => Math.max(a, b), 0)
  if (largest > 0)
    for (const sign of [1, -1] as const)
      new Float32Array(memory, sharesAt[sign], rows).set(scales.map((scale) => (sign * scale) / largest))
  // The int32 sums must not overflow.
  const limit = Math.min(INT16, Math.floor((2 ** 31 - 1) / (INT8 * width)))
  return {
    rows,
    width,
    groups,
    scannedRows,
    kernel,
    memory,
    queriesAt,
    pairsAt,
    outAt,
    sharesAt,
    peaksAt,
    queries,
    scales,
    sizes,
    errors,
    largest,
    longest,
    worst,
    limit,
  }
}

function score(matrix: Matrix, block: readonly Float32Array[], first: number): Rounded[] {
  const { kernel, width, scannedRows, queriesAt, pairsAt, outAt, queries, limit } = matrix
  // Four vectors together cost less than three single ones.
  const together = block.length > 2
  queries.fill(0)
  const rounded = block.map((vector, lane) =>
    together
      ? round(vector, limit, queries, 8 * lane, 8 * BLOCK)
      : round(vector, limit, queries, lane * width, 8),
  )
  const length = scannedRows - first
  const from = pairsAt + first * width
  if (together) kernel.scan4(from, length / 2, width, queriesAt, outAt)
  else
    for (let lane = 0; lane < block.length; lane++)
      kernel.scan(from, length / 2, width, queriesAt + 2 * lane * width, outAt + 4 * lane * length)
  return rounded
}

function candidates(matrix: Matrix, lane: number, first: number, query: Rounded, sign: 1 | -1): Candidates {
  const { rows, width, groups, scannedRows, kernel, memory, outAt, sharesAt, peaksAt } = matrix
  const { scales, sizes, errors, largest, longest, worst } = matrix
  const at = outAt + 4 * lane * (scannedRows - first)
  const integers = new Int32Array(memory, at, rows - first)
  const peaks = new Float32Array(memory, peaksAt, groups - first / GROUP)
  kernel.peaks(sharesAt[sign] + 4 * first, at, peaks.length, peaksAt)
  const scale = sign * query.scale
  const unit = largest * query.scale
  // Float32 rounds `width` products and sums; `(width + 16) * 2^-24` of the lengths exceeds the error.
  const slack = query.error + (width + 16) * 2 ** -24 * query.size
  const boundOf = (size: number, error: number) => (size * slack + error * query.size) * MARGIN + TINY
  return {
    likely(depth, kept) {
      const best = createBest(depth, rows)
      let bar = Number.NaN
      for (let group = 0; group < peaks.length; group++) {
        if (peaks[group] * unit < bar) continue
        const begin = first + GROUP * group
        const end = Math.min(rows, begin + GROUP)
        for (let row = begin; row < end; row++) {
          const middle = scales[row] * scale * integers[row - first]
          if (middle < bar || scales[row] === 0 || kept?.[row] === 0) continue
          bar = best.offer(row, middle)
        }
      }
      return best.take().rows
    },
    above(min, kept) {
      // No bound of a row is wider, and no `scale * D` is larger than the product of the lengths.
      const widest = boundOf(longest, worst) + PEAK * longest * query.size
      const found: number[] = []
      for (let group = 0; group < peaks.length; group++) {
        if (peaks[group] * unit + widest < min) continue
        const begin = first + GROUP * group
        const end = Math.min(rows, begin + GROUP)
        for (let row = begin; row < end; row++) {
          if (scales[row] === 0 || kept?.[row] === 0) continue
          const middle = scales[row] * scale * integers[row - first]
          if (middle + boundOf(sizes[row], errors[row]) >= min) found.push(row)
        }
      }
      return Uint32Array.from(found)
    },
  }
}

/**
 * Rounds x to integers of at most `limit` in size; the largest component becomes `limit`. Writes them to `q` as scan.wat
 * reads them: blocks of eight, `step` apart, from `at` on.
 */
function round(x: Float32Array, limit: number, q: Int16Array, at: number, step: number): Rounded {
  let largest = 0
  for (let i = 0; i < x.length; i++) if (Math.abs(x[i]) > largest) largest = Math.abs(x[i])
  const scale = largest / limit
  const inverse = largest === 0 ? 0 : limit / largest
  let length = 0
  let rounded = 0
  let error = 0
  for (let i = 0; i < x.length; i++) {
    const number = x[i]
    // The nearest integer: bits drop the fraction of a positive number.
    const integer = ((number * inverse + 32_768.5) | 0) - 32_768
    q[at + step * (i >> 3) + (i & 7)] = integer
    const value = scale * integer
    length += number * number
    rounded += value * value
    error += (number - value) * (number - value)
  }
  if (!Number.isFinite(length)) throw new Error('a vector holds a number that is not finite')
  return { scale, size: Math.sqrt(Math.max(length, rounded)), error: Math.sqrt(error) }
}
