import type { ChartSpec } from './chart.ts'
import { colour, shape } from './strategy-marks.ts'

/** Answers against retrieval: a point a trial with both intervals, a panel an answerer. */
export function answersSpec(
  strategies: readonly string[],
  answerers: readonly string[],
  titles: { readonly x: string; readonly y: string },
): ChartSpec {
  const x = {
    field: 'x',
    type: 'quantitative',
    scale: { zero: false, nice: true, padding: 14 },
    axis: { title: `${titles.x} →`, grid: false, format: '.0%', tickCount: 5 },
  }
  const y = {
    field: 'y',
    type: 'quantitative',
    scale: { zero: false },
    axis: { title: `↑ ${titles.y}`, format: '.0%', tickCount: 6 },
  }
  const rule = { type: 'rule', strokeWidth: 1, opacity: 0.5 }
  const panel = (answerer: string) => ({
    height: 240,
    title: { text: answerer, anchor: 'start', fontSize: 12, fontWeight: 'normal' },
    transform: [{ filter: { field: 'answerer', equal: answerer } }],
    layer: [
      {
        mark: rule,
        encoding: { x, y: { ...y, field: 'yLow' }, y2: { field: 'yHigh' }, color: colour(strategies) },
      },
      {
        mark: rule,
        encoding: { x: { ...x, field: 'xLow' }, x2: { field: 'xHigh' }, y, color: colour(strategies) },
      },
      {
        mark: { type: 'point', size: 70 },
        encoding: {
          ...{ x, y, color: colour(strategies), shape: shape(strategies) },
          tooltip: [
            { field: 'name', title: 'trial' },
            { field: 'x', title: titles.x, format: '.1%' },
            { field: 'y', title: titles.y, format: '.1%' },
          ],
        },
      },
    ],
  })
  return answerers.length === 1
    ? panel(answerers[0])
    : { vconcat: answerers.map((one) => ({ ...panel(one), width: 560 })) }
}
