/** The values that a measure can take. */
export interface Range {
  readonly low: number
  readonly high: number
}

/** Range of a share. */
export const SHARE: Range = { low: 0, high: 1 }

/** True of the range of a share. */
export function isShare({ low, high }: Range): boolean {
  return low === 0 && high === 1
}

/** Range of a measure that may take any value. */
export const ANY: Range = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }

/** Range of the difference of two values. */
export function rangeOfDifference({ low, high }: Range): Range {
  return { low: low - high, high: high - low }
}

/** The part of an interval that is possible. */
export function within({ low, high }: Range, range: Range): Range {
  const inside = (value: number) => Math.min(range.high, Math.max(range.low, value))
  return { low: inside(low), high: inside(high) }
}
