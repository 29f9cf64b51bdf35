import type { Measure } from '../metrics/define.ts'
import { meanOf } from '../metrics/evaluate.ts'
import type { Estimate } from '../results/summary.ts'
import { bootstrapIntervals, drawResamples, type Resamples } from '../statistics/bootstrap.ts'

/** Means with intervals. One set of resamples serves every row of one length. */
export interface Estimator {
  /**
   * By measure name. `columns` are the measures' values of queries in the byte order of their ids; NaN ones do not
   * count. Measures for which `interval` says no have null for low and high.
   */
  estimate(
    measures: readonly Measure[],
    columns: readonly Float64Array[],
    interval: (measure: Measure) => boolean,
  ): Record<string, Estimate>
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
    estimate(measures, columns, interval) {
      const counted = columns.map(withoutNaN)
      const estimates = measures.map((measure, place): Estimate => {
        const values = counted[place]
        return { mean: meanOf(measure, values), low: null, high: null, n: values.length }
      })
      // A geometric mean or a sum is no mean of the queries' values: their bootstrap would say something else.
      const wanted = [...measures.keys()].filter(
        (place) => measures[place].metric.mean === 'arithmetic' && interval(measures[place]),
      )
      for (const n of new Set(wanted.map((place) => counted[place].length))) {
        const same = wanted.filter((place) => counted[place].length === n)
        const rows = same.map((place) => counted[place])
        bootstrapIntervals(rows, resamplesOf(n), options.level).forEach(({ low, high }, i) => {
          estimates[same[i]] = { ...estimates[same[i]], low, high }
        })
      }
      return Object.fromEntries(measures.map(({ name }, place) => [name, estimates[place]]))
    },
  }
}

function withoutNaN(values: Float64Array): Float64Array {
  const counted = new Float64Array(values.length)
  let n = 0
  // A thousand trials have twenty million values: `for of` would take a second.
  for (let place = 0; place < values.length; place++) {
    counted[n] = values[place]
    if (!Number.isNaN(values[place])) n++
  }
  return counted.subarray(0, n)
}
