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

/** Score of a file of any format: a finite number, as such or in decimal digits. */
export function readScore(value: unknown): number | undefined {
  if (typeof value === 'string') return readNumber(value)
  const number = typeof value === 'bigint' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** End of a message about a number that is written with a decimal comma; '' for another. */
export function commaHint(value: unknown): string {
  return /^[+-]?\d+,\d+$/.test(String(value)) ? '; write a point in place of the comma' : ''
}

/** Grade of a file of any format: a whole number of 32 bits, which may be written `1.0`. */
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

const ISO =
  /^(\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?)?$/

/**
 * Milliseconds since 1970 of an ISO 8601 date: the first and last of its month, day, minute, ... Without a zone it is UTC. Undefined for
 * anything else, as a 30th of February.
 */
export function dateSpan(text: string): { start: number; end: number } | undefined {
  const match = ISO.exec(text.trim())
  if (!match) return undefined
  const [year, month, day = 1, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => (part === undefined ? undefined : Number(part))) as [
    number,
    number,
    ...(number | undefined)[],
  ]
  const [fraction, zone] = match.slice(7)
  if (hour > 23 || minute > 59 || second > 59) return undefined
  const first = (y: number, m: number, d: number) => new Date(0).setUTCFullYear(y, m - 1, d)
  const date = new Date(first(year, month, day))
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  const time =
    ((hour * 60 + minute) * 60 + second) * 1000 + Number((fraction ?? '').slice(0, 3).padEnd(3, '0'))
  const start = date.getTime() + time - offsetOf(zone)
  if (match[3] === undefined) return { start, end: first(year, month + 1, 1) - 1 }
  const length =
    match[4] === undefined ? 86_400_000 : match[6] === undefined ? 60_000 : fraction === undefined ? 1000 : 1
  return { start, end: start + length - 1 }
}

function offsetOf(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z') return 0
  const digits = zone.replace(':', '')
  const minutes = Number(digits.slice(1, 3)) * 60 + Number(digits.slice(3))
  return (digits.startsWith('-') ? -1 : 1) * minutes * 60_000
}

export function numberIn(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !/^[+-]?\d+(\.\d+)?$/.test(value.trim())) return undefined
  return Number(value)
}
