/** Numbers as files hold them, in decimal digits. */

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const INTEGER = /^[+-]?\d+$/

export function readNumber(text: string): number | undefined {
  const plain = readPlain(text)
  if (plain !== undefined) return plain
  const number = NUMBER.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

/** Powers of ten that are exact. */
const POWERS = Array.from({ length: 16 }, (_, digits) => 10 ** digits)

/**
 * A number of at most 15 digits without a sign or an exponent, as most of a run's are; undefined for another text. Digits and power are
 * exact, so their quotient is the number that `Number` gives.
 */
function readPlain(text: string): number | undefined {
  if (text.length === 0 || text.length > 16) return undefined
  let [digits, count, point] = [0, 0, -1]
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit >= 0 && digit <= 9) {
      digits = 10 * digits + digit
      count++
    } else if (digit === -2 && point < 0) point = count
    else return undefined
  }
  if (count === 0 || count > 15) return undefined
  return point < 0 ? digits : digits / POWERS[count - point]
}

/** A score as a file of any format holds it: a finite number, as such or in decimal digits; undefined for anything else. */
export function readScore(value: unknown): number | undefined {
  if (typeof value === 'string') return readNumber(value)
  const number = typeof value === 'bigint' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** End of a message about a number that is written with a decimal comma; '' for another. */
export function commaHint(value: unknown): string {
  return /^[+-]?\d+,\d+$/.test(String(value)) ? '; write a point in place of the comma' : ''
}

/** A grade as a file of any format holds it: a whole number of 32 bits, which may be written `1.0`; undefined for anything else. */
export function readGrade(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined
  const [, digits] = /^([+-]?\d+)(?:\.0*)?$/.exec(String(value)) ?? []
  return digits === undefined ? undefined : readInteger(digits)
}

export function readInteger(text: string): number | undefined {
  const number = INTEGER.test(text) ? Number(text) : Number.NaN
  // `-0` is 0.
  return Math.abs(number) <= 0x7fffffff ? number + 0 : undefined
}
