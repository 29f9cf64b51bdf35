export interface Range {
  readonly low: number
  readonly high: number
}

export const SHARE: Range = { low: 0, high: 1 }

export function isShare({ low, high }: Range): boolean {
  return low === 0 && high === 1
}

export const ANY: Range = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }

export function rangeOfDifference({ low, high }: Range): Range {
  return { low: low - high, high: high - low }
}

export function clamped({ low, high }: Range, range: Range): Range {
  const inside = (value: number) => Math.min(range.high, Math.max(range.low, value))
  return { low: inside(low), high: inside(high) }
}
