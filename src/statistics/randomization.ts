import { createRandom } from './random.ts'

/**
 * Paired randomization test (Fisher; Smucker, Allan and Carterette, CIKM 2007): were the two rows exchangeable, each
 * query's difference could as well have the other sign. Two-sided, by the absolute mean:
 *
 *     p = (count + 1) / (draws + 1),  count of draws with |sum of flipped differences| >= |observed sum|
 *
 * exactly by enumeration (count / 2^n) where at most 12 differences are not 0. One stream of flips serves a whole family.
 */

/** Sign flips of all draws: one bit a query, `bytes` bytes a draw. */
export interface Flips {
  readonly n: number
  readonly draws: number
  readonly bytes: number
  readonly bits: Uint8Array
}

/** Draws the flips of n queries. */
export function drawFlips(n: number, draws: number, seed: number): Flips {
  const random = createRandom(seed)
  const bytes = Math.ceil(n / 8)
  const bits = new Uint8Array(bytes * draws)
  for (let at = 0; at < bits.length; at += 4) {
    const word = random.bits()
    bits[at] = word
    bits[at + 1] = word >>> 8
    bits[at + 2] = word >>> 16
    bits[at + 3] = word >>> 24
  }
  return { n, draws, bytes, bits }
}

/** p of one row of differences, as long as the flips are wide. 1 where all are 0. */
export function randomizationTest(differences: Float64Array, flips: Flips): number {
  const kept = differences.filter((difference) => difference !== 0)
  if (kept.length === 0) return 1
  let observed = 0
  let magnitude = 0
  for (const difference of kept) {
    observed += difference
    magnitude += Math.abs(difference)
  }
  // Sums of the same numbers in another grouping may differ in their last bits; such draws count as equal.
  const reached = Math.abs(observed) - 1e-12 * magnitude
  if (kept.length <= 12) return enumerate(kept, reached)
  const tables = sumsOfBytes(differences, flips.bytes)
  const { draws, bytes, bits } = flips
  let count = 0
  for (let draw = 0, at = 0; draw < draws; draw++) {
    let sum = 0
    for (let byte = 0; byte < bytes; byte++) sum += tables[(byte << 8) | bits[at++]]
    if (Math.abs(sum) >= reached) count++
  }
  return (count + 1) / (draws + 1)
}

function enumerate(kept: Float64Array, reached: number): number {
  const flips = 2 ** kept.length
  let count = 0
  for (let flip = 0; flip < flips; flip++) {
    let sum = 0
    for (let index = 0; index < kept.length; index++) sum += flip & (1 << index) ? -kept[index] : kept[index]
    if (Math.abs(sum) >= reached) count++
  }
  return count / flips
}

/** For every eight queries, the sum of their differences under each of 256 flips: a draw is then n / 8 look-ups. */
function sumsOfBytes(differences: Float64Array, bytes: number): Float64Array {
  const tables = new Float64Array(bytes * 256)
  for (let byte = 0; byte < bytes; byte++) {
    const own = tables.subarray(byte * 256, (byte + 1) * 256)
    for (let index = 0; index < 8 && byte * 8 + index < differences.length; index++) {
      const difference = differences[byte * 8 + index]
      for (let flip = 0; flip < 256; flip++) own[flip] += flip & (1 << index) ? -difference : difference
    }
  }
  return tables
}
