import type { Estimate } from '../../results/summary.ts'
import { type Html, html } from '../html.ts'
import { interval } from '../numbers.ts'

/** The interval as a line and the mean as a dot, all rows on one scale. */
export function whisker(
  estimate: Estimate | undefined,
  [from, to]: readonly [number, number],
): Html | string {
  if (!estimate) return ''
  const at = (value: number) => (4 + (72 * (value - from)) / Math.max(to - from, 1e-9)).toFixed(1)
  const { mean, low, high } = estimate
  const bar =
    low === null || high === null ? null : html`<line x1="${at(low)}" x2="${at(high)}" y1="6" y2="6"/>`
  return html`<svg class="whisker" viewBox="0 0 80 12" aria-hidden="true">${bar}<circle cx="${at(mean)}" cy="6" r="2.6"/></svg> <span class="interval">${interval(low, high)}</span>`
}
