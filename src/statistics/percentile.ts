import { drawResamples } from './bootstrap.ts'

/**
 * Percentiles with bootstrap intervals. The q-percentile is the nearest rank: the least value that at least a share q
 * of the values does not exceed; so it is a value that was really seen, and p99 of 50 values is their maximum.
 */
export interface Percentile {
  readonly value: number
  readonly low: number
  readonly high: number
}

/** The percentiles `qs` (0 to 1) of `values`, each with its 1 - level interval from `draws` resamples of the values. */
export function percentiles(
  values: ArrayLike<number>,
  qs: readonly number[],
  { level, draws, seed }: { readonly level: number; readonly draws: number; readonly seed: number },
): Percentile[] {
  const n = values.length
  if (n === 0) throw new Error('no values have no percentiles')
  const ascending = Float64Array.from(values).sort()
  const { counts } = drawResamples(n, draws, seed)
  const once = new Uint8Array(n).fill(1)
  return qs.map((q) => {
    const drawn = new Float64Array(draws)
    for (let draw = 0; draw < draws; draw++) drawn[draw] = nearestRank(ascending, counts, draw * n, q)
    drawn.sort()
    return {
      value: nearestRank(ascending, once, 0, q),
      low: drawn[Math.floor((level / 2) * (draws - 1))],
      high: drawn[Math.ceil((1 - level / 2) * (draws - 1))],
    }
  })
}

/** `counts[from + place]` says how often the resample holds `ascending[place]`. */
function nearestRank(ascending: Float64Array, counts: Uint8Array, from: number, q: number): number {
  const rank = Math.max(1, Math.ceil(q * ascending.length))
  let held = 0
  for (let place = 0; place < ascending.length; place++) {
    held += counts[from + place]
    if (held >= rank) return ascending[place]
  }
  return ascending[ascending.length - 1]
}
