/** Numbers as files hold them: strictly, or as C's `atof` and `atol` read the beginning of any text. */

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const NUMBER_AHEAD = /^\s*[+-]?(?:inf(?:inity)?|nan|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)/i
const INTEGER = /^[+-]?\d+$/
const INTEGER_AHEAD = /^\s*[+-]?\d+/

/** A finite decimal number, or undefined. */
export function readNumber(text: string): number | undefined {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : undefined
}

/** What `atof` makes of a text: 0 where it does not begin with a number; may be infinite or NaN. */
export function atof(text: string): number {
  const ahead = (NUMBER_AHEAD.exec(text)?.[0] ?? '0').trim().toLowerCase()
  if (ahead.includes('nan')) return Number.NaN
  if (ahead.includes('inf'))
    return ahead.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  return Number(ahead)
}

/** A whole number that fits 32 bits, or undefined. */
export function readInteger(text: string): number | undefined {
  const number = INTEGER.test(text) ? Number(text) : Number.NaN
  return Math.abs(number) <= 0x7fffffff ? number : undefined
}

/** What `atol` makes of a text: 0 where it does not begin with a whole number; undefined where 32 bits do not hold it. */
export function atol(text: string): number | undefined {
  return readInteger((INTEGER_AHEAD.exec(text)?.[0] ?? '0').trim())
}
