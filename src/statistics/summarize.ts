import { select } from './select.ts'

/** Mean, standard deviation (n - 1) and number of values. Of none the mean is 0, of one the deviation. */
export interface Moments {
  readonly n: number
  readonly mean: number
  readonly sd: number
}

/** Two passes: exact for equal values, stable otherwise. */
export function momentsOf(values: ArrayLike<number>): Moments {
  const n = values.length
  if (n === 0) return { n, mean: 0, sd: 0 }
  let sum = 0
  let equal = true
  for (let index = 0; index < n; index++) {
    sum += values[index]
    equal &&= values[index] === values[0]
  }
  // The mean of 37 times 0.1 is not 0.1, and they would seem to vary.
  const mean = equal ? values[0] : sum / n
  let squares = 0
  for (let index = 0; index < n; index++) squares += (values[index] - mean) ** 2
  return { n, mean, sd: n > 1 ? Math.sqrt(squares / (n - 1)) : 0 }
}

/** a - b, query by query. */
export function differences(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: a.length }, (_, index) => a[index] - b[index])
}

/**
 * The q-quantile, between neighbours by linear interpolation (numpy's default, Hyndman and Fan's 7). Reorders the values:
 * of ten thousand draws two are read, which to sort all takes twenty times as long.
 */
export function quantile(values: Float64Array, q: number): number {
  const at = q * (values.length - 1)
  const index = Math.floor(at)
  const below = select(values, index)
  let above = Number.POSITIVE_INFINITY
  for (let other = index + 1; other < values.length; other++) if (values[other] < above) above = values[other]
  return index + 1 < values.length ? below + (at - index) * (above - below) : below
}
