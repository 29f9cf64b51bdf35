import { createRandom } from '../random.ts'
import { studentQuantile } from './distributions.ts'
import { type Clusters, clusterTotals, errorOf, momentsOf } from './moments.ts'

/**
 * Tests if a mean of numbers between -1 and 1 is above `max`, by the Bayesian bootstrap with one query more that speaks
 * against it as strongly as a query can (Gaffke, 2005; Learned-Miller and Thomas, arXiv 1905.06208):
 *
 *     p = P(sum_q w_q x_q - w_0 <= max),  (w_0, w_1 ... w_n) uniform over all weights that add up to 1
 *
 * It keeps its level for every distribution tried, which is conjectured, not proved. Clusters stand for queries, each
 * with its sum.
 */
export function dropTest(
  drops: Float64Array,
  max: number,
  {
    draws,
    seed,
    clusters,
  }: { readonly draws: number; readonly seed: number; readonly clusters?: Clusters | undefined },
): number {
  const { uniform } = createRandom(seed)
  // Exponential numbers divided by their sum are such weights; the sum does not change a sign.
  const weight = () => -Math.log(1 - uniform())
  const above = drops.map((drop) => drop - max)
  // With clusters, the one more is of their mean size.
  const sums = clusters ? clusterTotals(above, clusters).totals : above
  const worst = ((-1 - max) * drops.length) / (sums.length || 1)
  let below = 0
  for (let draw = 0; draw < draws; draw++) {
    let sum = weight() * worst
    for (let query = 0; query < sums.length; query++) sum += weight() * sums[query]
    if (sum <= 0) below++
  }
  return (below + 1) / (draws + 1)
}

/**
 * The mean that the test finds above `max` with the chance `power`, were drops to vary as these do: by Student's
 * approximation with n degrees of freedom, solved for x by halving,
 *
 *     (n x - 1) / (n + 1) - t(level) s(x) - t(1 - power) sd / sqrt(n) = max,
 *
 * s the deviation of the weighted mean, its added query included. Null where no mean up to 1 is found so often.
 */
export function catchableDrop(
  drops: Float64Array,
  max: number,
  level: number,
  { power = 0.8, clusters }: { readonly power?: number; readonly clusters?: Clusters | undefined } = {},
): number | null {
  const n = clusters ? new Set(Array.from(clusters)).size : drops.length
  const sd = clusters ? errorOf([drops], [clusters]).error * Math.sqrt(n) : momentsOf(drops).sd
  const above = (mean: number) => {
    const squares = sd ** 2 * Math.max(0, n - 1) + (n / (n + 1)) * (1 + mean) ** 2
    const deviation = Math.sqrt(squares / ((n + 1) * (n + 2)))
    const room = (studentQuantile(1 - power, Math.max(1, n)) * sd) / Math.sqrt(Math.max(1, n))
    return (n * mean - 1) / (n + 1) - studentQuantile(level, Math.max(1, n)) * deviation - room - max
  }
  if (above(1) < 0) return null
  let [low, high] = [max, 1]
  for (let halving = 0; halving < 40; halving++) {
    const middle = (low + high) / 2
    if (above(middle) < 0) low = middle
    else high = middle
  }
  return high
}
