/** Numbers as files hold them: strictly, in decimal digits, or as C's `atof` and `atol` read the beginning of any text. */

const DECIMAL = '(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:e[+-]?\\d+)?'
const HEXADECIMAL = '0x(?:[0-9a-f]+(?:\\.[0-9a-f]*)?|\\.[0-9a-f]+)(?:p[+-]?\\d+)?'
const NUMBER = new RegExp(`^[+-]?${DECIMAL}$`, 'i')
const NUMBER_AHEAD = new RegExp(`^\\s*[+-]?(?:inf(?:inity)?|nan|${HEXADECIMAL}|${DECIMAL})`, 'i')
const INTEGER = /^[+-]?\d+$/
const INTEGER_AHEAD = /^\s*[+-]?\d+/

/** A finite decimal number, or undefined. */
export function readNumber(text: string): number | undefined {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : undefined
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

/** Parses as C's `atof`: 0 if the text does not begin with a number; may be infinite or NaN. */
export function atof(text: string): number {
  const ahead = (NUMBER_AHEAD.exec(text)?.[0] ?? '0').trim().toLowerCase()
  if (ahead.includes('nan')) return Number.NaN
  if (ahead.includes('inf'))
    return ahead.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return numberOf(ahead)
}

/** The mantissa is rounded once, as C rounds it, unless the number is too small to be normal. */
function numberOf(text: string): number {
  const parts = /^([+-]?)0x([0-9a-f]*)\.?([0-9a-f]*)(?:p([+-]?\d+))?$/i.exec(text)
  if (!parts) return Number(text)
  const [, sign, whole, fraction, exponent = '0'] = parts
  const mantissa = Number(BigInt(`0x${whole}${fraction}`))
  const power = Math.max(-5000, Math.min(5000, Number(exponent))) - 4 * fraction.length
  // In two steps, so that neither factor is out of range before the product is.
  const half = Math.trunc(power / 2)
  const value = mantissa * 2 ** half * 2 ** (power - half)
  return sign === '-' ? -value : value
}

/** A whole number that fits 32 bits, or undefined. */
export function readInteger(text: string): number | undefined {
  const number = INTEGER.test(text) ? Number(text) : Number.NaN
  // `-0` is 0.
  return Math.abs(number) <= 0x7fffffff ? number + 0 : undefined
}

/** Parses as C's `atol`: 0 if the text does not begin with a whole number; undefined beyond 32 bits. */
export function atol(text: string): number | undefined {
  return readInteger((INTEGER_AHEAD.exec(text)?.[0] ?? '0').trim())
}
