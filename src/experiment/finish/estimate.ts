import { type Measure, rangeOf } from '../../metrics/define.ts'
import { meanOf } from '../../metrics/evaluate.ts'
import type { Estimate } from '../../results/summary.ts'
import { type Clusters, countedUnits } from '../../statistics/clusters.ts'
import { meanInterval } from '../../statistics/mean-interval.ts'
import type { Range } from '../../statistics/range.ts'
import type { Strata } from '../../statistics/strata.ts'

/** Means with intervals. Intervals are computed at the end, since their width depends on the number of rows compared. */
export interface Estimator {
  /**
   * Estimates by measure name. `columns` are the measures' values of queries in the byte order of their ids; NaN values do
   * not count. Low and high stay null if `interval` is false for the measure; otherwise `settle` sets them.
   */
  estimate(
    measures: readonly Measure[],
    columns: readonly Float64Array[],
    interval: (measure: Measure) => boolean,
    /** Cluster of each query, if queries are sampled by cluster. */
    clusters?: Clusters,
  ): Record<string, Estimate>
  /** Registers an estimate for an interval of the macro mean over strata of values in `range`; NaN values do not count. */
  draw(
    strata: readonly Float64Array[],
    estimate: Drawn,
    range: Range,
    /** Clusters by stratum. */
    clusters?: readonly Clusters[],
  ): void
  /** Computes the intervals of all registered estimates, each leaving out `tail` on either side (mean-interval.ts). */
  settle(tail: number): void
}

export function createEstimator(): Estimator {
  const open: {
    readonly strata: Strata
    readonly estimate: Drawn
    readonly range: Range
  }[] = []
  const draw: Estimator['draw'] = (all, estimate, range, clusters) => {
    const strata = all.map((values, stratum) => countedUnits(values, clusters?.[stratum]))
    open.push({ strata, estimate, range })
  }
  return {
    draw,
    estimate(measures, columns, interval, clusters) {
      const estimates = measures.map((measure, index) => {
        const values = columns[index]
        const estimate: Drawn = { mean: meanOf(measure, values), low: null, high: null, n: countOf(values) }
        // A geometric mean or a sum is not a mean of query values, so this interval would not describe it.
        if (measure.metric.mean === 'arithmetic' && interval(measure))
          draw([values], estimate, rangeOf(measure.metric), clusters && [clusters])
        return [measure.name, estimate] as const
      })
      return Object.fromEntries(estimates)
    },
    settle(tail) {
      for (const { strata, estimate, range } of open.splice(0))
        Object.assign(estimate, meanInterval(strata, tail, range))
    },
  }
}

type Drawn = { -readonly [K in keyof Estimate]: Estimate[K] }

function countOf(values: Float64Array): number {
  let counted = 0
  // A thousand trials have twenty million values: `for of` would take a second.
  for (let index = 0; index < values.length; index++) if (!Number.isNaN(values[index])) counted++
  return counted
}
