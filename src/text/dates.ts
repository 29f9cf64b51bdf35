const ISO =
  /^(\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?)?$/

/**
 * An ISO 8601 date as milliseconds since 1970: the first and the last of what it means. `2024-05` is a month, `2024-05-01`
 * a day, `2024-05-01T10:30` a minute. Without a zone it is UTC. Undefined for anything else, as a 30th of February.
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
