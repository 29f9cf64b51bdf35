import type { ChartSpec } from './chart.ts'
import { colour, shape } from './strategy-marks.ts'

/**
 * Recall against the tokens that may be spent: one line of steps a trial (dashed where evidence is spent first) with marks
 * here and there, by which lines are distinguished; `measured` budgets have their intervals as thin rules.
 */
export function budgetSpec(strategies: readonly string[], y0: string, measured: boolean): ChartSpec {
  const x = {
    field: 'tokens',
    type: 'quantitative',
    scale: { zero: true, nice: false, padding: 12 },
    axis: { title: 'tokens of context →', grid: false, format: ',d', tickCount: 5 },
  }
  const y = {
    field: 'recall',
    type: 'quantitative',
    scale: { zero: false },
    axis: { title: `↑ ${y0}`, format: '.0%', tickCount: 6 },
  }
  return {
    height: 280,
    encoding: { x, color: colour(strategies) },
    layer: [
      // A layer without rows would have an infinite extent.
      ...(measured
        ? [
            {
              transform: [{ filter: 'datum.low !== null' }],
              mark: { type: 'rule', strokeWidth: 1, opacity: 0.45 },
              encoding: { y: { ...y, field: 'low' }, y2: { field: 'high' } },
            },
          ]
        : []),
      {
        transform: [{ filter: 'datum.recall !== null && !datum.marked' }],
        mark: { type: 'line', strokeWidth: 1.75, interpolate: 'step-after' },
        encoding: {
          y,
          detail: { field: 'name' },
          strokeDash: {
            field: 'evidence',
            type: 'nominal',
            scale: {
              domain: ['beside', 'first'],
              range: [
                [1, 0],
                [5, 3],
              ],
            },
            legend: null,
          },
        },
      },
      {
        transform: [{ filter: 'datum.marked' }],
        mark: { type: 'point', size: 55 },
        encoding: {
          y,
          shape: shape(strategies),
          tooltip: [
            { field: 'name', title: 'trial' },
            { field: 'tokens', format: ',d' },
            { field: 'recall', format: '.1%' },
          ],
        },
      },
    ],
  }
}
