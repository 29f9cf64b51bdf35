import type { Measure } from '../metrics/define.ts'
import type { CompiledTrial } from '../plan/compile.ts'

/** By trial: the primary measure summed over the queries of a shard that count, and how many these are. */
export interface ShardQuality {
  readonly sums: Float64Array
  readonly counts: Int32Array
}

/** Adds up shards as they are done and names the trial that leads: `recall@5 61.2 by hybrid 0.6`; '' before any query counts. */
export function trackBest(
  trials: readonly Pick<CompiledTrial, 'name'>[],
  primary: Measure,
): (shard: ShardQuality) => string {
  const sums = new Float64Array(trials.length)
  const counts = new Int32Array(trials.length)
  const sign = primary.metric.better === 'higher' ? 1 : -1
  return (shard) => {
    let best = -1
    const mean = (trial: number) => sums[trial] / counts[trial]
    for (let trial = 0; trial < trials.length; trial++) {
      sums[trial] += shard.sums[trial]
      counts[trial] += shard.counts[trial]
      if (counts[trial] > 0 && (best < 0 || sign * mean(trial) > sign * mean(best))) best = trial
    }
    if (best < 0) return ''
    const shown = primary.metric.bounded ? (100 * mean(best)).toFixed(1) : mean(best).toFixed(2)
    return `${primary.name} ${shown} by ${trials[best].name}`
  }
}

/** What `trackBest` reads of a shard: `values` are (trial, query) rows of `measures` numbers each, NaN where none counts. */
export function qualityOf(
  values: Float64Array,
  trials: number,
  measures: number,
  primary: number,
): ShardQuality {
  const queries = values.length / (trials * measures)
  const sums = new Float64Array(trials)
  const counts = new Int32Array(trials)
  for (let row = 0; row < trials * queries; row++) {
    const value = values[row * measures + primary]
    if (Number.isNaN(value)) continue
    sums[Math.floor(row / queries)] += value
    counts[Math.floor(row / queries)]++
  }
  return { sums, counts }
}
