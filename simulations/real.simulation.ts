import { UserError } from '../src/errors.ts'
import { readResults } from '../src/results/read.ts'
import { momentsOf } from '../src/statistics/summarize.ts'
import { createGenerator } from './grids.ts'
import { errorRates } from './rates.ts'

const GRIDS = 400

/**
 * Differences of real rows: those of finished experiments (`EXPERIMENTS="FOLDER FOLDER"`) within 6 points of `hybrid`, the
 * baseline. Queries are drawn with weights that make every row's mean difference 0, so that equal values stay equal.
 */
export default {
  name: 'real',
  async run() {
    const folders = process.env.EXPERIMENTS?.split(' ')
    if (!folders)
      throw new UserError('real: set EXPERIMENTS="FOLDER FOLDER", folders of finished experiments')
    const experiments = await Promise.all(folders.map((folder) => readResults(folder)))
    return experiments.flatMap(({ folder, summary, scores }) =>
      ['recall@5', 'ndcg@10'].flatMap((measure) => {
        const { trials } = summary
        const values = scores.get(measure) ?? new Float64Array()
        const width = values.length / trials.length
        const all = trials.map((_, row) => values.subarray(row * width, (row + 1) * width))
        const baseline = all[trials.findIndex(({ strategy }) => strategy === 'hybrid')]
        const near = all.filter((row) => {
          const { n, mean, sd } = momentsOf(row.map((value, query) => value - baseline[query]))
          return n > 0 && sd > 0 && Math.abs(mean) < 0.06
        })
        const chances = nullChances(near.map((row) => row.map((value, query) => value - baseline[query])))
        return [50, 100, 200].map((n) => ({
          shape: `${folder}, ${measure}`,
          n,
          rows: near.length,
          ...errorRates(GRIDS, (seed) => {
            const { uniform } = createGenerator(1000 * seed + n)
            const queries = Array.from({ length: n }, () => {
              const u = uniform()
              return Math.max(
                0,
                chances.findIndex((chance) => u < chance),
              )
            })
            return {
              matrix: [baseline, ...near].map((row) => Float64Array.from(queries, (query) => row[query])),
            }
          }),
        }))
      }),
    )
  },
}

/**
 * Cumulative chances of queries, proportional to exp(sum of factors times differences). The factors that make all mean
 * differences 0 minimise the sum of these weights: Newton's steps, one row at a time.
 */
function nullChances(differences: readonly Float64Array[]): Float64Array {
  let weights = differences[0].map(() => 1)
  for (let sweep = 0; sweep < 2000; sweep++)
    for (const row of differences) {
      const sum = weights.reduce((total, weight, query) => total + weight * row[query], 0)
      const squares = weights.reduce((total, weight, query) => total + weight * row[query] ** 2, 0)
      weights = weights.map((weight, query) => weight * Math.exp((-sum / squares) * row[query]))
    }
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let below = 0
  return weights.map((weight) => {
    below += weight / total
    return below
  })
}
