import { compareTrials } from '../src/statistics/compare.ts'
import { makeFolds } from '../src/statistics/folds.ts'
import { createRandom } from '../src/statistics/random.ts'
import { tune, tunedValues } from '../src/statistics/tuned.ts'

const GRIDS = 1000
const QUERIES = 100
const STRATEGIES = 4
const TRIALS = 6
const LEVEL = 0.05

/**
 * The error rates of the comparison: 1,000 grids of 4 strategies x 6 trials over 100 queries. Every trial has the same true
 * quality, so every finding is false. Trials share the difficulty of the queries and differ by noise, as real trials do.
 *
 *     family-wise  every trial against the first, Holm: share of grids with any verdict of better or worse
 *     false winner share of grids whose best row is called better than the baseline, when each strategy's best trial is
 *                  chosen on the queries that score it, and when it is tuned in 5 folds
 *
 * The goal of the first and the last is at most level + 2 standard errors.
 */
export default {
  name: 'calibration',
  async run(): Promise<{ name: string; rate: number; baseline: number; goal: number }[]> {
    let anyFalse = 0
    let seen = 0
    let honest = 0
    for (let grid = 0; grid < GRIDS; grid++) {
      const { names, strategies, matrix } = nullGrid(grid)
      const common = { level: LEVEL, correction: 'holm', draws: 1000, seed: grid, better: 'higher' } as const
      const all = compareTrials({
        ...common,
        names,
        matrix,
        family: names.slice(1).map((name) => ({ name, baseline: names[0] })),
      })
      if (all.some(({ verdict }) => verdict === 'better' || verdict === 'worse')) anyFalse++

      const ids = Array.from({ length: QUERIES }, (_, query) => `q${query}`)
      const parts = makeFolds({ ids, categories: ids.map(() => null), folds: 5, seed: grid })
      const tuned = tune({ trials: names, strategies, matrix, parts, kind: 'folds', better: 'higher' })
      const rows = tuned.map(({ strategy }) => strategy)
      const family = rows.slice(1).map((name) => ({ name, baseline: rows[0] }))
      const isBetter = (own: Float64Array[]) =>
        compareTrials({ ...common, names: rows, matrix: own, family }).some(
          ({ verdict }) => verdict === 'better',
        )
      // The baseline is one fixed trial; the others are chosen. That is how a winner is announced.
      const fixed = matrix[0]
      if (isBetter(tuned.map(({ best }, place) => (place === 0 ? fixed : matrix[best])))) seen++
      if (isBetter(tuned.map((row, place) => (place === 0 ? fixed : tunedValues(row, matrix))))) honest++
    }
    const goal = LEVEL + 2 * Math.sqrt((LEVEL * (1 - LEVEL)) / GRIDS)
    return [
      { name: 'family-wise error, 23 trials against one', rate: anyFalse / GRIDS, baseline: LEVEL, goal },
      { name: 'false winner, best of 6 read off its queries', rate: seen / GRIDS, baseline: LEVEL, goal },
      { name: 'false winner, tuned in 5 folds', rate: honest / GRIDS, baseline: LEVEL, goal },
    ]
  },
}

/** Recall-like values: a query's difficulty gives the chance that each of two gold labels is found. */
function nullGrid(seed: number) {
  const { uniform } = createRandom(seed + 1)
  const difficulty = Array.from({ length: QUERIES }, uniform)
  const names: string[] = []
  const strategies: string[] = []
  const matrix: Float64Array[] = []
  for (let strategy = 0; strategy < STRATEGIES; strategy++)
    for (let trial = 0; trial < TRIALS; trial++) {
      names.push(`s${strategy}-${trial}`)
      strategies.push(`s${strategy}`)
      const found = (chance: number) => (uniform() < chance ? 0.5 : 0)
      matrix.push(Float64Array.from(difficulty, (chance) => found(chance) + found(chance)))
    }
  return { names, strategies, matrix }
}
