import type { ChartSpec } from './chart.ts'
import { BETTER, WORSE } from './theme.ts'

/** One bar a query, sorted: how much better or worse a trial does on it than another. */
export function differencesSpec(measure: string): ChartSpec {
  return {
    height: 220,
    mark: { type: 'bar', cursor: 'pointer' },
    encoding: {
      x: { field: 'place', type: 'ordinal', axis: null, scale: { paddingInner: 0.12, paddingOuter: 0 } },
      y: {
        field: 'difference',
        type: 'quantitative',
        axis: {
          title: `↑ difference in ${measure}, points`,
          tickCount: 5,
          labelExpr: "datum.value == 0 ? '0' : format(100 * datum.value, '+.0f')",
        },
      },
      color: { condition: { test: 'datum.difference > 0', value: BETTER }, value: WORSE },
      tooltip: [{ field: 'query' }, { field: 'difference', format: '+.3f' }],
    },
  }
}
