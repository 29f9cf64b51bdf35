import { createBest } from '../../ranking/best.ts'

/**
 * Bounds on scores that select the rows which could be among the best `depth`, from integer scores alone.
 *
 * Let x be a row, y the query, x' and y' their rounded forms; D the integer dot product. Then
 *
 *     x.y - x'.y' = x'.(y - y') + (x - x').y
 *     |score - scale * D| <= |x'| |y - y'| + |x - x'| |y| + rounding of float32
 *
 * so each score lies within its bound of `scale * D`. The rows with the best `scale * D` are scored exactly: at least
 * `depth` rows score no less than the lowest of these, so a row whose upper bound is below that cannot be among the best.
 * The other rows are the candidates.
 */
interface RowBounds {
  /** Factor of a row's integers; 0 for a zero row, which is never a candidate. */
  readonly scale: Float64Array
  readonly size: Float64Array
  readonly error: Float64Array
}

/**
 * Scale and size of the rounded query, and the slack that is added to the bound per length of a row. A negative scale
 * negates the query: the lowest score becomes the highest.
 */
export interface ScoreBound {
  readonly scale: number
  readonly size: number
  readonly slack: number
}

/** Dot products of a query with the rows from `first` on; `first` is a multiple of `GROUP_SIZE`. */
export interface Scanned {
  readonly first: number
  readonly integers: Int32Array
  /**
   * Highest `share * D` of each group of rows as float32. A row's share is its scale divided by the largest scale, negated
   * for a negated query.
   */
  readonly peaks: Float32Array
}

export interface Candidates {
  /**
   * About the `depth` rows with the highest `scale * D` (all if there are fewer), of those whose byte in `kept` is not
   * 0.
   */
  likely(scanned: Scanned, query: ScoreBound, depth: number, kept?: Uint8Array): Uint32Array
  /** Rows that could score `min` or more, ascending. */
  above(scanned: Scanned, query: ScoreBound, min: number, kept?: Uint8Array): Uint32Array
}

/** Covers float64 rounding of the bounds, and float32 products that are subnormal. */
const MARGIN = 1 + 1e-9
const TINY = 1e-30
/** Exceeds the three float32 roundings of a peak. */
const PEAK = 2 ** -22

/** Rows per group. Nearly all groups are ruled out by their peak. */
export const GROUP_SIZE = 16

export function createCandidates({ scale, size, error }: RowBounds): Candidates {
  const rows = scale.length
  const chosen = new Uint32Array(rows)
  const largest = largestOf(scale)
  const longest = largestOf(size)
  const worst = largestOf(error)

  const boundOf = (size: number, error: number, query: ScoreBound) =>
    (size * query.slack + error * query.size) * MARGIN + TINY

  return {
    likely({ integers, peaks }, query, depth, kept) {
      const best = createBest(depth, rows)
      const unit = largest * Math.abs(query.scale)
      let bar = Number.NaN
      for (let group = 0; group < peaks.length; group++) {
        if (peaks[group] * unit < bar) continue
        const end = Math.min(rows, GROUP_SIZE * (group + 1))
        for (let row = GROUP_SIZE * group; row < end; row++) {
          const middle = scale[row] * query.scale * integers[row]
          if (middle < bar || scale[row] === 0 || kept?.[row] === 0) continue
          bar = best.offer(row, middle)
        }
      }
      return best.take().rows
    },
    above({ first, integers, peaks }, query, min, kept) {
      // No bound of a row is wider, and no `scale * D` is larger than the product of the lengths.
      const widest = boundOf(longest, worst, query) + PEAK * longest * query.size
      const unit = largest * Math.abs(query.scale)
      let count = 0
      for (let group = 0; group < peaks.length; group++) {
        if (peaks[group] * unit + widest < min) continue
        const begin = first + GROUP_SIZE * group
        const end = Math.min(rows, begin + GROUP_SIZE)
        for (let row = begin; row < end; row++) {
          if (scale[row] === 0 || kept?.[row] === 0) continue
          const middle = scale[row] * query.scale * integers[row - first]
          if (middle + boundOf(size[row], error[row], query) >= min) chosen[count++] = row
        }
      }
      return chosen.slice(0, count)
    },
  }
}

/** Largest of nonnegative numbers; 0 if there are none. */
export function largestOf(values: Float64Array): number {
  return values.reduce((a, b) => Math.max(a, b), 0)
}

/** A vector as integers: `x[i]` is about `scale * q[i]`. */
interface Quantized {
  readonly scale: number
  /** The longer of the two lengths, |x| and |scale * q|. */
  readonly size: number
  /** |x - scale * q|. */
  readonly error: number
}

/**
 * Rounds `x` to integers of at most `limit` in size; the largest component becomes `limit`. Writes them to `q` as dot.wat
 * reads them: blocks of eight, `step` apart, from `at` on; padding of the last block is not written. A zero vector has
 * scale, size and error 0. Rows are rounded by quantize.wat.
 */
export function quantize(x: Float32Array, limit: number, q: Int16Array, at: number, step: number): Quantized {
  let largest = 0
  for (let i = 0; i < x.length; i++) largest = Math.max(largest, Math.abs(x[i]))
  if (!Number.isFinite(largest)) throw new Error('a vector holds a number that is not finite')
  if (largest === 0) return { scale: 0, size: 0, error: 0 }
  const scale = largest / limit
  let length = 0
  let rounded = 0
  let error = 0
  for (let i = 0; i < x.length; i++) {
    const integer = Math.round(x[i] / scale)
    q[at + step * (i >> 3) + (i & 7)] = integer
    const value = scale * integer
    length += x[i] * x[i]
    rounded += value * value
    error += (x[i] - value) * (x[i] - value)
  }
  return { scale, size: Math.sqrt(Math.max(length, rounded)), error: Math.sqrt(error) }
}
