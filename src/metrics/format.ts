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
