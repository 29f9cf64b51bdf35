import type { Experiment } from '../../config/experiment.ts'
import type { Measure } from '../../metrics/define.ts'
import type { MeasureScale, Summary } from '../../results/summary.ts'

/** Scales of the measures with a custom metric; empty without such measures. */
export function scalesOf({ metrics }: Experiment, measures: readonly Measure[]): Pick<Summary, 'scales'> {
  const own = new Set(metrics.map(({ name }) => name))
  const scales = measures
    .filter(({ metric }) => own.has(metric.name))
    .map(({ name, metric: { bounded, better } }): [string, MeasureScale] => [name, { bounded, better }])
  return scales.length > 0 ? { scales: Object.fromEntries(scales) } : {}
}
