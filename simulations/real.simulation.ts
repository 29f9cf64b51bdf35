import { UserError } from '../src/errors.ts'
import { type Results, readResults } from '../src/results/read.ts'
import { countSigns, momentsOf } from '../src/statistics/moments.ts'
import { createGenerator } from './grids.ts'
import { errorRates } from './rates.ts'

const GRIDS = 1000

/**
 * Real rows, of finished experiments: those within 6 points of `hybrid`, the baseline, that win and lose on two queries or more.
 * Queries are drawn with weights that make every row's mean difference 0, so that equal values stay equal. For other experiments,
 * set `EXPERIMENTS="FOLDER FOLDER"`. Exceptions: few large gains against many small losses, of which small samples show too few.
 */
export default {
  name: 'real',
  async run() {
    const folders = process.env.EXPERIMENTS?.split(' ')
    if (!folders) throw new UserError('set EXPERIMENTS="FOLDER FOLDER" to folders of finished experiments')
    const experiments = await Promise.all(folders.map((folder) => readResults(folder)))
    return experiments.flatMap((results, at) =>
      ['recall@5', 'ndcg@10'].flatMap((measure) => ratesOf(results, measure, at)),
    )
  },
}

function ratesOf({ folder, summary, scores }: Results, measure: string, at: number) {
  const values = scores.get(measure) ?? new Float64Array()
  const width = values.length / summary.trials.length
  const trials = summary.trials.map((_, row) => values.subarray(row * width, (row + 1) * width))
  const baseline = trials[summary.trials.findIndex(({ strategy }) => strategy === 'hybrid')]
  const near: { row: Float64Array; differences: Float64Array }[] = []
  let weights = new Float64Array()
  for (const row of new Map(trials.map((trial) => [trial.join(), trial])).values()) {
    const differences = row.map((value, query) => value - baseline[query])
    const { wins, losses } = countSigns(differences)
    if (Math.abs(momentsOf(differences).mean) > 0.06 || Math.min(wins, losses) < 2) continue
    const equalizing = equalizingWeights([...near, { differences }])
    if (!equalizing) continue
    near.push({ row, differences })
    weights = equalizing
  }
  if (near.length === 0) return []
  const rows = [baseline, ...near.map(({ row }) => row)]
  const highest = Math.max(...weights)
  return [50, 100, 200].map((n) => {
    const rates = errorRates(
      GRIDS,
      (seed) => {
        const { uniform } = createGenerator(1000 * seed + n + at)
        const queries = Array.from({ length: n }, () => {
          for (;;) {
            const query = Math.floor(uniform() * width)
            if (uniform() * highest < weights[query]) return query
          }
        })
        return { matrix: rows.map((row) => Float64Array.from(queries, (query) => row[query])) }
      },
      false,
    )
    return { shape: `${folder}, ${measure}`, n, rows: near.length, ...rates }
  })
}

/**
 * Weights of queries, each exp(sum of factors times differences). The factors that make all mean differences 0 minimise the sum
 * of the weights: Newton's steps, one row at a time. Undefined if there are none.
 */
function equalizingWeights(rows: readonly { readonly differences: Float64Array }[]) {
  let weights = rows[0].differences.map(() => 1)
  const sumOf = (row: Float64Array, power: number) =>
    weights.reduce((sum, weight, query) => sum + weight * row[query] ** power, 0)
  for (let sweep = 0; sweep < 500; sweep++)
    for (const { differences } of rows) {
      const step = -sumOf(differences, 1) / sumOf(differences, 2)
      weights = weights.map((weight, query) => weight * Math.exp(step * differences[query]))
    }
  const isEqual = rows.every(
    ({ differences }) => Math.abs(sumOf(differences, 1)) < 1e-6 * sumOf(differences, 2),
  )
  return isEqual ? weights : undefined
}
