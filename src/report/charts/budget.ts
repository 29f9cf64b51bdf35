import type { ChartSpec } from './chart.ts'
import { colour, shape } from './pareto.ts'

/**
 * Recall against the tokens that may be spent: one line of steps a trial (dashed where evidence is spent first), the
 * measured budgets as marks with their intervals as thin rules.
 */
export function budgetSpec(strategies: readonly string[], y0: string): ChartSpec {
  const x = {
    field: 'tokens',
    type: 'quantitative',
    scale: { zero: true, nice: false, padding: 12 },
    axis: { title: 'tokens of context →', grid: false, format: ',d', tickCount: 5 },
  }
  const y = {
    field: 'mean',
    type: 'quantitative',
    scale: { zero: false },
    axis: { title: `↑ ${y0}`, format: '.0%', tickCount: 6 },
  }
  return {
    height: 280,
    encoding: { x, color: colour(strategies) },
    layer: [
      {
        transform: [{ filter: 'datum.mean !== null' }],
        mark: { type: 'rule', strokeWidth: 1, opacity: 0.45 },
        encoding: { y: { ...y, field: 'low' }, y2: { field: 'high' } },
      },
      {
        transform: [{ filter: 'datum.recall !== null' }],
        mark: { type: 'line', strokeWidth: 1.75, interpolate: 'step-after' },
        encoding: {
          y: { ...y, field: 'recall' },
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
        transform: [{ filter: 'datum.mean !== null' }],
        mark: { type: 'point', size: 55 },
        encoding: {
          y,
          shape: shape(strategies),
          tooltip: [
            { field: 'name', title: 'trial' },
            { field: 'tokens', format: ',d' },
            { field: 'mean', title: 'recall', format: '.1%' },
          ],
        },
      },
    ],
  }
}
