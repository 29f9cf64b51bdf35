/**
 * A number with a fixed number of decimals as C's printf has it: the exact binary value, halves to even. JavaScript's
 * `toFixed` takes halves up: 0.03125 to 4 decimals is 0.0312 in C and 0.0313 in `toFixed`.
 */
export function formatC(value: number, decimals: number): string {
  const text = value.toFixed(decimals)
  if (!isHalf(value, decimals)) return text
  // `toFixed` went away from 0; where that gave an odd last digit, the even one is a step back.
  if ('02468'.includes(text.at(-1) as string)) return text
  const digits = BigInt(text.replace('.', '').replace('-', '')) - 1n
  const padded = digits.toString().padStart(decimals + 1, '0')
  const sign = value < 0 ? '-' : ''
  if (decimals === 0) return sign + padded
  return `${sign}${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`
}

/** The number that `formatC` prints: Python's `round`. */
export function roundC(value: number, decimals: number): number {
  return Number(formatC(value, decimals))
}

/** True if a value lies exactly between two printable values. Its exact decimals then end with 5. */
function isHalf(value: number, decimals: number): boolean {
  const [, fraction = ''] = value.toFixed(100).split('.')
  return /^50*$/.test(fraction.slice(decimals))
}

/**
 * nDCG's divisor log2(rank + 1), equal to glibc 2.36's to the last bit for ranks to 16,383: V8's `Math.log2` differs for
 * ten odd integers there (the first is 1,375) and their doubles.
 */
const SIZE = 16_384
/** Integers whose log2 in glibc is one unit above (1) or below (-1) `Math.log2`. All these logarithms lie between 8 and 16, where a unit is 2^-49. */
const UNITS: readonly (readonly [integer: number, units: number])[] = [
  [1375, -1],
  [1621, 1],
  [3393, 1],
  [5755, -1],
  [6131, 1],
  [6351, -1],
  [11219, -1],
  [11443, -1],
  [12043, 1],
  [13735, 1],
]
const TABLE = Float64Array.from({ length: SIZE + 1 }, (_, integer) => Math.log2(integer))
for (const [odd, units] of UNITS)
  for (let integer = odd; integer <= SIZE; integer *= 2) TABLE[integer] += units * 2 ** -49

export function discount(rank: number): number {
  return rank < SIZE ? TABLE[rank + 1] : Math.log2(rank + 1)
}
