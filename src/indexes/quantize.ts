/** A vector as integers: `x[i]` is about `scale * q[i]`. */
export interface Quantized {
  readonly scale: number
  /** The longer of the two lengths, |x| and |scale * q|. */
  readonly size: number
  /** |x - scale * q|. */
  readonly error: number
}

const ZERO: Quantized = { scale: 0, size: 0, error: 0 }

/**
 * Rounds `x` to integers of at most `limit` in size, written to `q` from `at` on; the longest component becomes `limit`.
 * A zero vector has scale, size and error 0.
 */
export function quantize(x: Float32Array, limit: number, q: Int16Array, at: number): Quantized {
  const { largest } = extent(x)
  if (largest === 0) {
    q.fill(0, at, at + x.length)
    return ZERO
  }
  const scale = largest / limit
  for (let i = 0; i < x.length; i++) q[at + i] = Math.round(x[i] / scale)
  return measure(x, scale, limit)
}

/** The integers of four bits go from -7 to 7 and are stored with 8 added. */
export const FOUR_BITS = 7
export const OFFSET = 8
/** Where a bell curve is best cut for fifteen steps, in standard deviations. */
const CUT = 2.5

/**
 * Rounds `x` to integers of four bits, packed into `q` from `at` on as dot.wat reads them (32 values in 16 bytes; what
 * stands behind the vector's end is 0). Long components are cut where that leaves a smaller error in all.
 */
export function quantizeFour(x: Float32Array, q: Uint8Array, at: number): Quantized {
  const { largest, length } = extent(x)
  const bytes = 16 * Math.ceil(x.length / 32)
  q.fill(OFFSET * 17, at, at + bytes)
  if (largest === 0) return ZERO
  let best = measure(x, largest / FOUR_BITS, FOUR_BITS)
  const cut = (CUT * length) / Math.sqrt(x.length)
  if (cut < largest) {
    const other = measure(x, cut / FOUR_BITS, FOUR_BITS)
    if (other.error < best.error) best = other
  }
  for (let i = 0; i < x.length; i++) {
    const stored = round(x[i], best.scale, FOUR_BITS) + OFFSET
    const place = at + 16 * (i >> 5) + 2 * (i & 7) + ((i >> 4) & 1)
    const low = (i & 8) === 0
    q[place] = low ? (q[place] & 0xf0) | stored : (q[place] & 0x0f) | (stored << 4)
  }
  return best
}

function round(value: number, scale: number, limit: number): number {
  const integer = Math.round(value / scale)
  return integer > limit ? limit : integer < -limit ? -limit : integer
}

function extent(x: Float32Array): { largest: number; length: number } {
  let largest = 0
  let squares = 0
  for (let i = 0; i < x.length; i++) {
    const size = Math.abs(x[i])
    // Not `size > largest`: NaN must not pass.
    if (!(size <= largest)) largest = size
    squares += x[i] * x[i]
  }
  if (!Number.isFinite(largest)) throw new Error('a vector holds a number that is not finite')
  return { largest, length: Math.sqrt(squares) }
}

function measure(x: Float32Array, scale: number, limit: number): Quantized {
  let length = 0
  let rounded = 0
  let error = 0
  for (let i = 0; i < x.length; i++) {
    const value = scale * round(x[i], scale, limit)
    length += x[i] * x[i]
    rounded += value * value
    error += (x[i] - value) * (x[i] - value)
  }
  return { scale, size: Math.sqrt(Math.max(length, rounded)), error: Math.sqrt(error) }
}
