import { ANY, SHARE } from '../src/metrics/range.ts'
import { normalTail } from '../src/statistics/distributions.ts'
import { meanInterval } from '../src/statistics/intervals.ts'
import { createGenerator } from './grids.ts'
import { percent } from './rates.ts'

const SAMPLES = 5000

/** Values as functions of a number that is uniform between 0 and 1, and their true means. */
const KINDS: Readonly<Record<string, { mean: number; value: (u: number) => number }>> = {
  '0/1, mean .5': { mean: 0.5, value: (u) => (u < 0.5 ? 1 : 0) },
  '0/1, mean .9': { mean: 0.9, value: (u) => (u < 0.9 ? 1 : 0) },
  '0/1, mean .97': { mean: 0.97, value: (u) => (u < 0.97 ? 1 : 0) },
  'recall of 3 labels': { mean: 0.5, value: (u) => Math.floor(4 * u) / 3 },
  'reciprocal rank': { mean: 19 / 30, value: (u) => (u < 0.5 ? 1 : u < 0.7 ? 1 / 2 : u < 0.8 ? 1 / 3 : 0) },
  'reciprocal rank, rarely found': { mean: 0.08, value: (u) => (u < 0.05 ? 1 : u < 0.11 ? 1 / 2 : 0) },
  'exponential, no share': { mean: 1, value: (u) => -Math.log(1 - u) },
}

/** Numbers of queries, and of queries of a cluster. */
const SIZES = [
  [15, 1],
  [50, 1],
  [100, 1],
  [50, 5],
  [100, 5],
  [200, 20],
] as const

/**
 * Coverage of the 95 % interval of a row's mean, 5,000 samples a cell. In clusters of 5 and 20, queries share half of the
 * variance of a latent normal value.
 */
export default {
  name: 'means',
  run: () =>
    Object.keys(KINDS).flatMap((values) =>
      SIZES.map(([n, cluster]) => ({
        values,
        n,
        cluster,
        'coverage %': percent(coverageOf(values, n, cluster)),
      })),
    ),
}

function coverageOf(values: string, n: number, size: number): number {
  const { mean, value } = KINDS[values]
  const { normal, uniform } = createGenerator(n)
  const clusters = Int32Array.from({ length: n }, (_, query) => Math.floor(query / size))
  const range = values.endsWith('no share') ? ANY : SHARE
  let covered = 0
  for (let sample = 0; sample < SAMPLES; sample++) {
    const shared = Array.from({ length: n / size }, normal)
    const row = Float64Array.from(clusters, (cluster) =>
      value(size > 1 ? 1 - normalTail(Math.SQRT1_2 * (shared[cluster] + normal())) : uniform()),
    )
    const { low, high } = meanInterval([row], 0.05, range, size > 1 ? [clusters] : undefined)
    if (low === null || high === null || (low <= mean && mean <= high)) covered++
  }
  return covered / SAMPLES
}
