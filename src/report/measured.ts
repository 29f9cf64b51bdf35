import { rangeOf } from '../metrics/define.ts'
import { parseMeasure } from '../metrics/parse.ts'
import type { Range } from '../metrics/range.ts'
import type { MeasureScale, Summary } from '../results/summary.ts'
import { percent, quantity } from './numbers.ts'

export function measureScale({ scales }: Pick<Summary, 'scales'>, measure: string): MeasureScale {
  return scales?.[measure] ?? parseMeasure(measure).metric
}

export function pairedScale(
  summary: Pick<Summary, 'scales'>,
  measure: string,
): { readonly better: MeasureScale['better']; readonly range: Range } {
  const scale = measureScale(summary, measure)
  return { better: scale.better, range: rangeOf(scale) }
}

/** True for a count, which is not shown in percent. */
export function isCount(summary: Pick<Summary, 'scales'>, measure: string): boolean {
  return !measureScale(summary, measure).bounded
}

/** 1 if high values of a measure are good, else -1. */
export function signOf(summary: Pick<Summary, 'scales' | 'primary'>, measure = summary.primary): 1 | -1 {
  return measureScale(summary, measure).better === 'higher' ? 1 : -1
}

/** '63.2' of a share, '1,204' of a count. */
export function measured(
  summary: Pick<Summary, 'scales'>,
  measure: string,
  mean: number | undefined,
  digits?: number,
): string {
  if (mean === undefined || !isCount(summary, measure)) return percent(mean, digits)
  return quantity(mean)
}
