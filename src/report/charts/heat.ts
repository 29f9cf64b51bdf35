import type { ChartSpec } from './chart.ts'
import { HEAT, HEAT_INK, heatScale } from './theme.ts'

/** Text without decimals in a narrow cell. */
const SHOWN =
  "bandwidth('x') < 32 && isNumber(+datum.text) && isFinite(+datum.text) ? format(+datum.text, '.0f') : datum.text"

/** Cells over ordered fields `x` and `y`, with `text` on the colour of `step`. */
export function heatSpec(
  titles: { readonly x: string | null; readonly y: string | null },
  names: { readonly x: string; readonly y: string; readonly text: string } = {
    x: titles.x ?? 'column',
    y: titles.y ?? 'row',
    text: 'percent',
  },
  rowHeight = 30,
): ChartSpec {
  const x = {
    field: 'x',
    type: 'ordinal',
    sort: null,
    axis: { title: titles.x, orient: 'top', labelAngle: 0, labelOverlap: true, titleAnchor: 'start' },
  }
  const y = { field: 'y', type: 'ordinal', sort: null, axis: { title: titles.y } }
  return {
    height: { step: rowHeight },
    encoding: { x, y },
    layer: [
      {
        mark: { type: 'rect', stroke: 'var(--paper)', strokeWidth: 2, tooltip: { content: 'data' } },
        encoding: {
          fill: { field: 'step', type: 'ordinal', legend: null, scale: heatScale(HEAT) },
          tooltip: [
            { field: 'y', title: names.y },
            { field: 'x', title: names.x },
            { field: 'text', title: names.text },
            { field: 'n', title: 'n' },
          ],
        },
      },
      {
        mark: { type: 'text', fontSize: 11, text: { expr: SHOWN } },
        encoding: { color: { field: 'step', type: 'ordinal', legend: null, scale: heatScale(HEAT_INK) } },
      },
    ],
    resolve: { scale: { fill: 'independent', color: 'independent' } },
  }
}
