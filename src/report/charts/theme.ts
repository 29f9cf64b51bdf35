import type { Config } from 'vega-lite'

/** CSS variables, so that light, dark and print share a drawing. */
const INK = 'var(--ink)'
export const FAINT = 'var(--faint)'
export const RULE = 'var(--rule)'
export const BETTER = 'var(--better)'
export const WORSE = 'var(--worse)'
export const UNCLEAR = 'var(--unclear)'

/** One-hue ramp, low to high, with legible ink. */
const HEAT_STEPS = 9
export const HEAT = Array.from({ length: HEAT_STEPS }, (_, step) => `var(--heat-${step})`)
export const HEAT_INK = Array.from({ length: HEAT_STEPS }, (_, step) => `var(--heat-ink-${step})`)

const FONT = 'system-ui, "Segoe UI", Helvetica, Arial, sans-serif'

export const THEME: Config = {
  background: 'transparent',
  font: FONT,
  padding: { left: 2, right: 10, top: 4, bottom: 4 },
  view: { stroke: null as never },
  axis: {
    domain: false,
    labelColor: FAINT,
    titleColor: FAINT,
    tickColor: RULE,
    gridColor: RULE,
    gridWidth: 1,
    labelFontSize: 11,
    titleFontSize: 11,
    titleFontWeight: 'normal',
    labelPadding: 5,
    tickSize: 4,
  },
  axisX: { titleAnchor: 'end', titlePadding: 8 },
  axisY: {
    titleAngle: 0,
    titleAlign: 'left',
    titleAnchor: 'start',
    titleBaseline: 'bottom',
    titleX: 0,
    titleY: -10,
  },
  axisBand: { grid: false, ticks: false, labelColor: INK, labelLimit: 280 },
  title: { color: INK },
  text: { color: INK, fontSize: 11 },
  point: { filled: true, size: 60, opacity: 1 },
  rule: { color: INK },
}

export function heatStep(value: number, low: number, high: number): number {
  if (!(high > low)) return Math.floor(HEAT_STEPS / 2)
  return Math.min(HEAT_STEPS - 1, Math.max(0, Math.floor((HEAT_STEPS * (value - low)) / (high - low))))
}

export function heatScale(range: readonly string[]) {
  return { domain: range.map((_, step) => step), range }
}
