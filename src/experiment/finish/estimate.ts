import { type Measure, rangeOf } from '../../metrics/define.ts'
import { meanOf } from '../../metrics/evaluate.ts'
import type { Estimate } from '../../results/summary.ts'
import { type Clusters, countedUnits } from '../../statistics/clusters.ts'
import { meanInterval } from '../../statistics/mean-interval.ts'
import type { Range } from '../../statistics/range.ts'
import type { Repeats } from '../../statistics/repeats.ts'
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
    options?: {
      /** Values of a stochastic row by measure and repeat; `columns` are their means. */
      readonly repeats?: readonly (readonly Float64Array[])[] | undefined
      /** Cluster of each query, if queries are sampled by cluster. */
      readonly clusters?: Clusters | undefined
    },
  ): Record<string, Estimate>
  /** Registers an estimate for an interval of the macro mean over strata of values in `range`; NaN values do not count. */
  draw(
    strata: readonly Float64Array[],
    estimate: Drawn,
    range: Range,
    options?: {
      /** Values of a stochastic row by repeat and stratum; `strata` are their means. */
      readonly repeats?: readonly (readonly Float64Array[])[] | undefined
      /** Clusters by stratum. */
      readonly clusters?: readonly Clusters[] | undefined
    },
  ): void
  /** Computes the intervals of all registered estimates, each leaving out `tail` on either side (mean-interval.ts). */
  settle(tail: number): void
}

export function createEstimator(): Estimator {
  const open: {
    readonly strata: Strata
    readonly estimate: Drawn
    readonly range: Range
    readonly repeats: Repeats | undefined
  }[] = []
  const draw: Estimator['draw'] = (all, estimate, range, { repeats, clusters } = {}) => {
    const units = (own: readonly Float64Array[]) =>
      own.map((values, stratum) => countedUnits(values, clusters?.[stratum]))
    open.push({ strata: units(all), estimate, range, repeats: repeats?.map(units) })
  }
  return {
    draw,
    estimate(measures, columns, interval, { repeats, clusters } = {}) {
      const estimates = measures.map((measure, index) => {
        const values = columns[index]
        const estimate: Drawn = { mean: meanOf(measure, values), low: null, high: null, n: countOf(values) }
        // A geometric mean or a sum is not a mean of query values, so this interval would not describe it.
        if (measure.metric.mean === 'arithmetic' && interval(measure))
          draw([values], estimate, rangeOf(measure.metric), {
            repeats: repeats?.[index].map((column) => [column]),
            clusters: clusters && [clusters],
          })
        return [measure.name, estimate] as const
      })
      return Object.fromEntries(estimates)
    },
    settle(tail) {
      for (const { strata, estimate, range, repeats } of open.splice(0))
        Object.assign(estimate, meanInterval(strata, tail, range, repeats))
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
