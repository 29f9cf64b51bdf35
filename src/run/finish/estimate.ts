import type { Measure } from '../../metrics/define.ts'
import { meanOf } from '../../metrics/evaluate.ts'
import type { Estimate } from '../../results/summary.ts'
import { bootstrapIntervals } from '../../statistics/bootstrap.ts'
import type { Strata } from '../../statistics/strata.ts'

/** Means with intervals, which come at the end: eight rows share one reading of the resamples, whosever they are. */
export interface Estimator {
  /**
   * By measure name. `columns` are the measures' values of queries in the byte order of their ids; NaN ones do not
   * count. Measures for which `interval` says no have null for low and high; the others have until `settle`.
   */
  estimate(
    measures: readonly Measure[],
    columns: readonly Float64Array[],
    interval: (measure: Measure) => boolean,
  ): Record<string, Estimate>
  /** Has an estimate's interval drawn, of the macro mean over strata; NaN values do not count. */
  draw(strata: readonly Float64Array[], estimate: Drawn): void
  /** Draws the intervals of all estimates so far: one set of resamples for those of as many values. */
  settle(): void
}

export function createEstimator(options: {
  readonly level: number
  readonly draws: number
  readonly seed: number
}): Estimator {
  /** By the strata's lengths. */
  const open = new Map<string, { readonly strata: Strata; readonly estimate: Drawn }[]>()
  const draw: Estimator['draw'] = (all, estimate) => {
    const strata = all.map((values) => values.filter((value) => !Number.isNaN(value)))
    const lengths = strata.map(({ length }) => length).join(' ')
    const same = open.get(lengths) ?? []
    same.push({ strata, estimate })
    open.set(lengths, same)
  }
  return {
    draw,
    estimate(measures, columns, interval) {
      const estimates = measures.map((measure, index) => {
        const values = columns[index]
        const estimate: Drawn = { mean: meanOf(measure, values), low: null, high: null, n: countOf(values) }
        // A geometric mean or a sum is no mean of the queries' values: their bootstrap would say something else.
        if (measure.metric.mean === 'arithmetic' && interval(measure)) draw([values], estimate)
        return [measure.name, estimate] as const
      })
      return Object.fromEntries(estimates)
    },
    settle() {
      for (const same of open.values()) {
        const intervals = bootstrapIntervals(
          same.map(({ strata }) => strata),
          options,
        )
        for (const [row, { estimate }] of same.entries()) Object.assign(estimate, intervals[row])
      }
      open.clear()
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
