import { type Measure, rangeOf } from '../../metrics/define.ts'
import { meanOf } from '../../metrics/evaluate.ts'
import type { Estimate } from '../../results/summary.ts'
import { type Clusters, countedUnits } from '../../statistics/clusters.ts'
import { meanInterval } from '../../statistics/mean-interval.ts'
import type { Range } from '../../statistics/range.ts'
import type { Repeats } from '../../statistics/repeats.ts'
import type { Strata } from '../../statistics/strata.ts'

/** Means with intervals, which come at the end: how wide they are depends on how many rows they were read among. */
export interface Estimator {
  /**
   * By measure name. `columns` are the measures' values of queries in the byte order of their ids; NaN ones do not
   * count. Measures for which `interval` says no have null for low and high; the others have until `settle`.
   */
  estimate(
    measures: readonly Measure[],
    columns: readonly Float64Array[],
    interval: (measure: Measure) => boolean,
    /** Of a stochastic row: by measure and repeat; `columns` are their means. */
    repeats?: readonly (readonly Float64Array[])[],
    /** The cluster of each query, where they are sampled by cluster. */
    clusters?: Clusters,
  ): Record<string, Estimate>
  /**
   * Has an estimate's interval made, of the macro mean over strata; NaN values do not count. `range`: of the values;
   * `repeats`: the same by repeat, of a stochastic row.
   */
  draw(
    strata: readonly Float64Array[],
    estimate: Drawn,
    range: Range,
    repeats?: readonly (readonly Float64Array[])[],
    /** By stratum. */
    clusters?: readonly Clusters[],
  ): void
  /** Makes the intervals of all estimates so far, each leaving out `tail` on either side (mean-interval.ts). */
  settle(tail: number): void
}

export function createEstimator(): Estimator {
  const open: {
    readonly strata: Strata
    readonly estimate: Drawn
    readonly range: Range
    readonly repeats: Repeats | undefined
  }[] = []
  const draw: Estimator['draw'] = (all, estimate, range, repeats, clusters) => {
    const units = (own: readonly Float64Array[]) =>
      own.map((values, stratum) => countedUnits(values, clusters?.[stratum]))
    open.push({ strata: units(all), estimate, range, repeats: repeats?.map(units) })
  }
  return {
    draw,
    estimate(measures, columns, interval, repeats, clusters) {
      const estimates = measures.map((measure, index) => {
        const values = columns[index]
        const estimate: Drawn = { mean: meanOf(measure, values), low: null, high: null, n: countOf(values) }
        // A geometric mean or a sum is no mean of the queries' values: their interval would say something else.
        if (measure.metric.mean === 'arithmetic' && interval(measure))
          draw(
            [values],
            estimate,
            rangeOf(measure.metric),
            repeats?.[index].map((own) => [own]),
            clusters && [clusters],
          )
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
