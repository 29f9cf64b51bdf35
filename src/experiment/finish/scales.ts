import type { Experiment } from '../../config/experiment.ts'
import type { Measure } from '../../metrics/define.ts'
import type { MeasureScale, Summary } from '../../results/summary.ts'

/** The scales of the measures whose metric is a file; nothing where there is none. */
export function scalesOf({ metrics }: Experiment, measures: readonly Measure[]): Pick<Summary, 'scales'> {
  const own = new Set(metrics.map(({ name }) => name))
  const scales = measures
    .filter(({ metric }) => own.has(metric.name))
    .map(({ name, metric: { bounded, better } }): [string, MeasureScale] => [name, { bounded, better }])
  return scales.length > 0 ? { scales: Object.fromEntries(scales) } : {}
}
