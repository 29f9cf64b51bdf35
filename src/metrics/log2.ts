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
