import type { Measure } from '../../metrics/define.ts'
import type { CompiledTrial } from '../plan/compile.ts'

/** By trial: the primary measure summed over the queries of a shard that count, and how many these are. */
export interface ShardQuality {
  readonly sums: Float64Array
  readonly counts: Int32Array
}

/**
 * Adds up shards as they are done and names the trial that leads: `recall@5 61.2 by hybrid 0.6`; '' before any query
 * counts. Of a race only those lead that still run, and how many these are is told.
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
 * What `trackBest` reads of a shard of `ran`, places among `trials`: `values` are (trial, query) rows of `measures` numbers
 * each, NaN where none counts.
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
