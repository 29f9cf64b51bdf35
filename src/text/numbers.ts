/** Numbers as files hold them, in decimal digits. */

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const INTEGER = /^[+-]?\d+$/

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

export function readInteger(text: string): number | undefined {
  const number = INTEGER.test(text) ? Number(text) : Number.NaN
  // `-0` is 0.
  return Math.abs(number) <= 0x7fffffff ? number + 0 : undefined
}
