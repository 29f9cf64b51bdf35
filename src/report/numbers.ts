/** Numbers as the report and the terminal print them. Fractions are in percent without the sign. */

/** 0.632 -> '63.2'. */
export function percent(fraction: number | null | undefined, digits = 1): string {
  return typeof fraction === 'number' && Number.isFinite(fraction)
    ? minus((100 * fraction).toFixed(digits))
    : '–'
}

/** 0.071 -> '+7.1'. */
export function points(fraction: number, digits = 1): string {
  if (!Number.isFinite(fraction)) return '–'
  const text = (100 * fraction).toFixed(digits)
  return Number(text) > 0 ? `+${text}` : minus(text)
}

/** '[55.1, 71.0]', or ''. */
export function interval(low: number | null, high: number | null): string {
  return low === null || high === null ? '' : `[${percent(low)}, ${percent(high)}]`
}

/** '[+2.0, +12.1]', or ''. */
export function pointsInterval(low: number | null, high: number | null): string {
  return low === null || high === null ? '' : `[${points(low)}, ${points(high)}]`
}

/** '0.012', '< 0.001', '–'. */
export function probability(p: number | null): string {
  if (p === null || !Number.isFinite(p)) return '–'
  return p < 0.001 ? '< 0.001' : p.toFixed(3)
}

/** '= 0.012', '< 0.001'. */
export function equals(p: number | null): string {
  return p !== null && p < 0.001 ? probability(p) : `= ${probability(p)}`
}

/** 12345.6 -> '12,346', 980.25 -> '980', 0.05 -> '0.05', 1.5 -> '1.5'. */
export function quantity(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 100 || Number.isInteger(value)) return minus(Math.round(value).toLocaleString('en'))
  return minus(Number(value.toPrecision(2)).toString())
}

/** '0.82', '12.4', '1,240'. */
export function milliseconds(value: number): string {
  return value >= 100 ? quantity(value) : value.toFixed(value >= 10 ? 1 : 2)
}

/** '$1,240', '$12.40', '$0.0031'. */
export function dollarsInWords(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (value >= 1000) return `$${quantity(value)}`
  return `$${value >= 0.1 || value === 0 ? value.toFixed(2) : value.toPrecision(2)}`
}

export type NumberFormat =
  | 'percent'
  | 'points'
  | 'count'
  | 'milliseconds'
  | 'dollars'
  | 'share'
  | 'probability'
  | 'text'

const FORMATS: Readonly<Record<NumberFormat, (value: number, digits?: number) => string>> = {
  percent,
  points: (value) => points(value),
  count: quantity,
  milliseconds,
  dollars: dollarsInWords,
  share: (value) => `${percent(value)} %`,
  probability,
  text: String,
}

/** `digits` apply to percents. */
export function formatted(value: number, format: NumberFormat, digits?: number): string {
  return FORMATS[format](value, digits)
}

/** Correction in words: max-T for the bootstrap, Bonferroni for exact tests and Student's t. */
export function corrected(
  correction: string,
  rows: readonly { readonly test?: 'bootstrap' | 'exact' | 'student' }[],
): string {
  if (correction === 'none') return 'not corrected'
  const tested = rows.filter(({ test }) => test !== undefined)
  const others = tested.filter(({ test }) => test !== 'bootstrap')
  if (others.length === 0) return 'corrected by max-T'
  return others.length === tested.length
    ? 'corrected by Bonferroni'
    : 'corrected by max-T (bootstrap) and Bonferroni'
}

/** 1 query, 2 queries. */
export function plural(count: number, singular: string, many = `${singular}s`): string {
  return `${quantity(count)} ${count === 1 ? singular : many}`
}

/** 1st, 2nd, 3rd, 11th. */
export function ordinal(rank: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd' }[ORDINAL.select(rank) as string] ?? 'th'
  return `${quantity(rank)}${ending}`
}
const ORDINAL = new Intl.PluralRules('en', { type: 'ordinal' })

/** A real minus sign, and no '-0.0'. */
function minus(text: string): string {
  return Number(text.replace(/,/g, '')) === 0 ? text.replace('-', '') : text.replace('-', '−')
}

const collator = new Intl.Collator('en', { numeric: true })

/** Compares names as people do: q2 before q10. */
export function natural(a: string, b: string): number {
  return collator.compare(a, b)
}
