import type { ChartSpec } from './chart.ts'
import { HEAT, heatAt } from './theme.ts'

/** Gold labels that each trial lost, stacked by the stage that lost them, in the order of the stages: the earlier, the stronger. */
export function funnelSpec(stages: readonly string[], gold: number): ChartSpec {
  return {
    height: { step: 26 },
    mark: { type: 'bar', height: { band: 0.72 }, stroke: 'var(--paper)', strokeWidth: 1 },
    encoding: {
      y: { field: 'name', type: 'nominal', sort: null, axis: { title: null } },
      x: {
        field: 'lost',
        type: 'quantitative',
        stack: 'zero',
        scale: { nice: true },
        axis: { title: `gold labels lost, of ${gold} →`, tickCount: 6, tickMinStep: 1, format: ',d' },
      },
      color: {
        field: 'stage',
        type: 'nominal',
        legend: null,
        scale: { domain: stages, range: stages.map((_, index) => HEAT[heatAt(index, stages.length)]) },
      },
      order: { field: 'place', type: 'quantitative' },
      tooltip: [
        { field: 'name', title: 'trial' },
        { field: 'stage' },
        { field: 'lost', title: 'gold labels' },
      ],
    },
  }
}
