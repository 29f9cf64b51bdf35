import type { Measure } from '../../metrics/define.ts'
import type { CompiledTrial } from '../plan/compile.ts'
import type { ShardResult } from './result.ts'

/** Sum of the primary measure by trial over the counted queries of a shard, and the number of these queries. */
export interface ShardQuality {
  readonly sums: Float64Array
  readonly counts: Int32Array
}

/** Adds up finished shards and names the leading trial: `recall@5 61.2 by hybrid 0.6`; empty before any query counts. */
export function trackBest(
  trials: readonly Pick<CompiledTrial, 'name'>[],
  primary: Measure,
): (shard: ShardQuality) => string {
  const sums = new Float64Array(trials.length)
  const counts = new Int32Array(trials.length)
  const sign = primary.metric.better === 'higher' ? 1 : -1
  return (shard) => {
    for (let trial = 0; trial < trials.length; trial++) {
      sums[trial] += shard.sums[trial]
      counts[trial] += shard.counts[trial]
    }
    const scored = [...trials.keys()].filter((trial) => counts[trial] > 0)
    if (scored.length === 0) return ''
    const mean = (trial: number) => sums[trial] / counts[trial]
    const best = scored.reduce((first, trial) => (sign * mean(trial) > sign * mean(first) ? trial : first))
    const shown = primary.metric.bounded ? (100 * mean(best)).toFixed(1) : mean(best).toFixed(2)
    return `${primary.name} ${shown} by ${trials[best].name}`
  }
}

/** Input of `trackBest` for one shard: the primary measure of the trials, repeats left out. */
export function qualityOf(
  { values, begin, end }: Pick<ShardResult, 'values' | 'begin' | 'end'>,
  trials: number,
  measures: number,
  primary: number,
): ShardQuality {
  const queries = end - begin
  const sums = new Float64Array(trials)
  const counts = new Int32Array(trials)
  for (let row = 0; row < trials * queries; row++) {
    const value = values[row * measures + primary]
    if (Number.isNaN(value)) continue
    const trial = Math.floor(row / queries)
    sums[trial] += value
    counts[trial]++
  }
  return { sums, counts }
}
