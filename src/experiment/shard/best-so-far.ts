import type { Measure } from '../../metrics/define.ts'
import type { CompiledTrial } from '../plan/compile.ts'

/** Sum of the primary measure by trial over the counted queries of a shard, and the number of these queries. */
export interface ShardQuality {
  readonly sums: Float64Array
  readonly counts: Int32Array
}

/**
 * Adds up finished shards and names the leading trial: `recall@5 61.2 by hybrid 0.6`; empty before any query counts. In a race
 * only running trials can lead, and their number is reported.
 */
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
    const most = Math.max(...counts)
    if (most === 0) return ''
    const running = trials.map((_, trial) => trial).filter((trial) => counts[trial] === most)
    const mean = (trial: number) => sums[trial] / counts[trial]
    const best = running.reduce((first, trial) => (sign * mean(trial) > sign * mean(first) ? trial : first))
    const shown = primary.metric.bounded ? (100 * mean(best)).toFixed(1) : mean(best).toFixed(2)
    const left = running.length < trials.length ? `, ${running.length} of ${trials.length} trials left` : ''
    return `${primary.name} ${shown} by ${trials[best].name}${left}`
  }
}

/**
 * Input of `trackBest` for one shard. `ran` are indexes in `trials`; `values` are (trial, query) rows of `measures` numbers
 * each, NaN if the query does not count.
 */
export function qualityOf(
  values: Float64Array,
  ran: readonly number[],
  trials: number,
  measures: number,
  primary: number,
): ShardQuality {
  const queries = values.length / (ran.length * measures)
  const sums = new Float64Array(trials)
  const counts = new Int32Array(trials)
  for (let row = 0; row < ran.length * queries; row++) {
    const value = values[row * measures + primary]
    if (Number.isNaN(value)) continue
    const trial = ran[Math.floor(row / queries)]
    sums[trial] += value
    counts[trial]++
  }
  return { sums, counts }
}
