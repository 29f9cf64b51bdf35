import { UserError } from '../src/errors.ts'
import { readResults } from '../src/results/read.ts'
import { countSigns, momentsOf } from '../src/statistics/summarize.ts'
import { createGenerator, type Generator } from './grids.ts'
import { errorRates } from './rates.ts'

const GRIDS = 400

/**
 * Differences of real rows: those of finished experiments (`EXPERIMENTS="FOLDER FOLDER"`) within 6 points of `hybrid`, the
 * baseline, that win and lose on two queries or more. Queries are drawn with weights that make every row's mean difference 0, so that equal values stay equal.
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
        const minus = (row: Float64Array) => row.map((value, query) => value - baseline[query])
        let [near, chances]: [Float64Array[], Float64Array | null] = [[], null]
        for (const row of new Map(all.map((values) => [values.join(), values])).values()) {
          const { mean, wins, losses } = { ...momentsOf(minus(row)), ...countSigns(minus(row)) }
          if (Math.abs(mean) > 0.06 || Math.min(wins, losses) < 2) continue
          const more = nullChances([...near, row].map(minus))
          if (more) [near, chances] = [[...near, row], more]
        }
        if (chances === null) return []
        const cumulative = chances
        const drawn = (random: Generator) => {
          const u = random.uniform() * cumulative[cumulative.length - 1]
          return cumulative.findIndex((chance) => u < chance)
        }
        return [50, 100, 200].map((n) => ({
          shape: `${folder}, ${measure}`,
          n,
          rows: near.length,
          ...errorRates(
            GRIDS,
            (seed) => {
              const random = createGenerator(1000 * seed + n)
              const queries = Array.from({ length: n }, () => drawn(random))
              return {
                matrix: [baseline, ...near].map((row) => Float64Array.from(queries, (query) => row[query])),
              }
            },
            false,
          ),
        }))
      }),
    )
  },
}

/**
 * Cumulative weights of queries, each exp(sum of factors times differences). The factors that make all mean differences 0
 * minimise the sum of the weights: Newton's steps, one row at a time. Null if there are none.
 */
function nullChances(differences: readonly Float64Array[]): Float64Array | null {
  let weights = differences[0].map(() => 1)
  const sumOf = (row: Float64Array, power: number) =>
    weights.reduce((sum, weight, query) => sum + weight * row[query] ** power, 0)
  for (let sweep = 0; sweep < 500; sweep++)
    for (const row of differences) {
      const step = -sumOf(row, 1) / sumOf(row, 2)
      weights = weights.map((weight, query) => weight * Math.exp(step * row[query]))
    }
  if (differences.some((row) => !(Math.abs(sumOf(row, 1)) < 1e-6 * sumOf(row, 2)))) return null
  let below = 0
  return weights.map((weight) => {
    below += weight
    return below
  })
}
