/** A vector as integers: `x[i]` is about `scale * q[i]`. */
export interface Quantized {
  readonly scale: number
  /** The longer of the two lengths, |x| and |scale * q|. */
  readonly size: number
  /** |x - scale * q|. */
  readonly error: number
}

/**
 * Rounds `x` to integers of at most `limit` in size; the longest component becomes `limit`. They are written to `q` as
 * dot.wat reads them: each eight `step` after the last, from `at` on; what fills up the last eight is left as it is. A
 * zero vector has scale, size and error 0. Rows, which are many, are rounded by quantize.wat.
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
