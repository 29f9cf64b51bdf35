import { createRandom } from './random.ts'

/**
 * Sign flips, what paired randomization tests draw (Fisher; Smucker, Allan and Carterette, CIKM 2007): were two rows
 * exchangeable, each query's difference could as well have the other sign. One stream serves every row, so that what is
 * flipped together keeps its correlation. Where all 2^n flips are no more than the draws, they are all taken, once each.
 */
export interface Flips {
  readonly n: number
  readonly draws: number
  /** Whether these are all flips there are. */
  readonly exact: boolean
  /** One bit a query, `bytes` bytes a draw. */
  readonly bytes: number
  readonly bits: Uint8Array
}

/** Draws the flips of n queries. */
export function drawFlips(n: number, draws: number, seed: number): Flips {
  const bytes = Math.ceil(n / 8)
  const exact = 2 ** n <= draws
  const flips = { n, draws: exact ? 2 ** n : draws, exact, bytes }
  const bits = new Uint8Array(bytes * flips.draws)
  if (exact) for (let at = 0; at < bits.length; at++) bits[at] = Math.floor(at / bytes) >>> (8 * (at % bytes))
  else {
    const random = createRandom(seed)
    for (let at = 0; at < bits.length; at += 4) {
      const word = random.bits()
      bits[at] = word
      bits[at + 1] = word >>> 8
      bits[at + 2] = word >>> 16
      bits[at + 3] = word >>> 24
    }
  }
  return { ...flips, bits }
}

/** Sums of flipped values in the draws `begin` to `end`, into `sums`. The values' first query has the bit `bit`, a multiple of 8. */
export function flippedSums(
  values: ArrayLike<number>,
  { bytes, bits }: Flips,
  begin: number,
  end: number,
  sums: Float64Array,
  bit = 0,
): void {
  const own = Math.ceil(values.length / 8)
  const tables = sumsOfBytes(values, own)
  for (let draw = begin; draw < end; draw++) {
    let sum = 0
    const at = draw * bytes + bit / 8
    for (let byte = 0; byte < own; byte++) sum += tables[(byte << 8) | bits[at + byte]]
    sums[draw - begin] = sum
  }
}

/** For every eight queries, the sum of their values under each of 256 flips: a draw is then n / 8 look-ups. */
function sumsOfBytes(values: ArrayLike<number>, bytes: number): Float64Array {
  const tables = new Float64Array(bytes * 256)
  for (let byte = 0; byte < bytes; byte++) {
    const first = byte * 256
    for (let query = byte * 8; query < byte * 8 + 8 && query < values.length; query++)
      tables[first] += values[query]
    // A flip is one of fewer flips and one more.
    for (let bit = 0; bit < 8; bit++) {
      const value = byte * 8 + bit < values.length ? 2 * values[byte * 8 + bit] : 0
      for (let flip = 1 << bit; flip < 2 << bit; flip++)
        tables[first + flip] = tables[first + flip - (1 << bit)] - value
    }
  }
  return tables
}
