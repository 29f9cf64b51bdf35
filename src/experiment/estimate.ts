import type { Measure } from '../metrics/define.ts'
import { meanOf } from '../metrics/evaluate.ts'
import type { Estimate } from '../results/summary.ts'
import { bootstrapInterval, drawResamples, type Resamples } from '../statistics/bootstrap.ts'

/** Means with intervals. One set of resamples serves every row of one length. */
export interface Estimator {
  /** Values of queries in the byte order of their ids; NaN ones do not count. `interval: false` leaves low and high null. */
  estimate(measure: Measure, values: Float64Array, interval: boolean): Estimate
}

export function createEstimator(options: {
  readonly level: number
  readonly draws: number
  readonly seed: number
}): Estimator {
  const byLength = new Map<number, Resamples>()
  const resamplesOf = (n: number) => {
    const resamples = byLength.get(n) ?? drawResamples(n, options.draws, options.seed)
    byLength.set(n, resamples)
    return resamples
  }
  return {
    estimate(measure, values, interval) {
      const counted = values.filter((value) => !Number.isNaN(value))
      const mean = meanOf(measure, counted)
      // A geometric mean or a sum is no mean of the queries' values: their bootstrap would say something else.
      if (!interval || measure.metric.mean !== 'arithmetic')
        return { mean, low: null, high: null, n: counted.length }
      const { low, high } = bootstrapInterval(counted, resamplesOf(counted.length), options.level)
      return { mean, low, high, n: counted.length }
    },
  }
}
