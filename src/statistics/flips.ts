import { createRandom } from './random.ts'

/**
 * Sign flips, what paired randomization tests draw (Fisher; Smucker, Allan and Carterette, CIKM 2007): were two rows
 * exchangeable, each query's difference could as well have the other sign. One stream serves every row, so that what is
 * flipped together keeps its correlation. Where all 2^n flips are no more than the draws, all are used, once each.
 */
export interface Flips {
  readonly n: number
  readonly draws: number
  /** True if these are all possible flips. */
  readonly exact: boolean
  /** One bit a query, eight to a byte: `bits[byte * draws + draw]`. */
  readonly bytes: number
  readonly bits: Uint8Array
}

/** Draws the flips of n queries. */
export function drawFlips(n: number, draws: number, seed: number): Flips {
  const bytes = Math.ceil(n / 8)
  const exact = 2 ** n <= draws
  const flips = { n, draws: exact ? 2 ** n : draws, exact, bytes }
  const bits = new Uint8Array(bytes * flips.draws)
  if (exact)
    for (let at = 0; at < bits.length; at++)
      bits[at] = (at % flips.draws) >>> (8 * Math.floor(at / flips.draws))
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
  { draws, bits }: Flips,
  begin: number,
  end: number,
  sums: Float64Array,
  bit = 0,
): void {
  sums.fill(0, 0, end - begin)
  const table = new Float64Array(256)
  for (let first = 0; first < values.length; first += 8) {
    sumByte(values, first, table)
    // Byte after byte, so that a table stays in the nearest cache: a draw is n / 8 look-ups.
    const at = ((first + bit) / 8) * draws + begin
    for (let draw = 0; draw < end - begin; draw++) sums[draw] += table[bits[at + draw]]
  }
}

/** The sum of eight values under each of 256 flips. */
function sumByte(values: ArrayLike<number>, first: number, table: Float64Array): void {
  let sum = 0
  for (let query = first; query < first + 8 && query < values.length; query++) sum += values[query]
  table[0] = sum
  // A flip is one of fewer flips and one more.
  for (let bit = 0; bit < 8; bit++) {
    const value = first + bit < values.length ? 2 * values[first + bit] : 0
    for (let flip = 1 << bit; flip < 2 << bit; flip++) table[flip] = table[flip - (1 << bit)] - value
  }
}
