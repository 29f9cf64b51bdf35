import type { ChartSpec } from './chart.ts'
import { BETTER, FAINT, UNCLEAR, WORSE } from './theme.ts'

const VERDICTS = ['better', 'worse', 'equivalent', 'cannot tell', 'identical']
/** Equals sign. */
const EQUALS = 'M-0.8,-0.3H0.8M-0.8,0.3H0.8'

/** Differences with intervals; the zero line is the baseline. */
export function forestSpec(title: string): ChartSpec {
  const x = {
    field: 'difference',
    type: 'quantitative',
    axis: {
      title: `${title} →`,
      format: '+.0%',
      tickCount: 7,
      labelExpr: "datum.value == 0 ? '0' : format(100 * datum.value, '+.0f')",
    },
  }
  const y = { field: 'name', type: 'nominal', sort: null, axis: { title: null } }
  const color = {
    field: 'verdict',
    type: 'nominal',
    legend: null,
    scale: { domain: VERDICTS, range: [BETTER, WORSE, FAINT, UNCLEAR, FAINT] },
  }
  return {
    height: { step: 26 },
    resolve: { scale: { fill: 'independent', stroke: 'independent', color: 'independent' } },
    layer: [
      {
        mark: { type: 'rule', color: FAINT, strokeWidth: 1 },
        encoding: { x: { datum: 0, type: 'quantitative' } },
      },
      {
        mark: { type: 'rule', strokeWidth: 2 },
        encoding: { x: { ...x, field: 'low' }, x2: { field: 'high' }, y, color },
      },
      {
        mark: { type: 'point', size: 90, strokeWidth: 2 },
        encoding: {
          x,
          y,
          stroke: color,
          // Hollow for "cannot tell".
          fill: { ...color, scale: { ...color.scale, range: [BETTER, WORSE, FAINT, 'var(--paper)', FAINT] } },
          shape: {
            field: 'verdict',
            type: 'nominal',
            legend: null,
            scale: { domain: VERDICTS, range: ['triangle-up', 'triangle-down', 'square', 'circle', EQUALS] },
          },
          tooltip: [
            { field: 'name', title: 'trial' },
            { field: 'difference', format: '+.1%' },
            { field: 'verdict' },
          ],
        },
      },
    ],
  }
}
