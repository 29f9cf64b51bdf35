import { type Measure, rangeOf } from '../../metrics/define.ts'
import { meanOf } from '../../metrics/evaluate.ts'
import type { Estimate } from '../../results/summary.ts'
import type { Clusters } from '../../statistics/clusters.ts'
import { meanInterval } from '../../statistics/mean-interval.ts'

/** Means with Student's intervals by measure. NaN values do not count. Limits are null if `interval` is false. */
export function estimateColumns(
  measures: readonly Measure[],
  columns: readonly Float64Array[],
  {
    level,
    interval,
    clusters,
  }: {
    readonly level: number
    readonly interval: (measure: Measure) => boolean
    readonly clusters: Clusters | undefined
  },
): Record<string, Estimate> {
  return Object.fromEntries(
    measures.map((measure, index) => {
      const values = columns[index]
      const limits = interval(measure)
        ? intervalOf(measure, [values], level, clusters && [clusters])
        : NO_LIMITS
      return [measure.name, { mean: meanOf(measure, values), ...limits, n: countOf(values) }]
    }),
  )
}

const NO_LIMITS = { low: null, high: null }

/** Interval of the macro mean over strata; none for a geometric mean or a sum. */
export function intervalOf(
  { metric }: Measure,
  strata: readonly Float64Array[],
  level: number,
  clusters?: readonly Clusters[],
): Pick<Estimate, 'low' | 'high'> {
  if (metric.mean !== 'arithmetic') return NO_LIMITS
  const counted = clusters?.map((numbers, stratum) =>
    Array.from(numbers).filter((_, query) => !Number.isNaN(strata[stratum][query])),
  )
  const values = strata.map((column) => column.filter((value) => !Number.isNaN(value)))
  return meanInterval(values, level, rangeOf(metric), counted)
}

function countOf(values: Float64Array): number {
  let counted = 0
  // `for of` would take a second for twenty million values.
  for (let index = 0; index < values.length; index++) if (!Number.isNaN(values[index])) counted++
  return counted
}
