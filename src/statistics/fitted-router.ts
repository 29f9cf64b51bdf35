import { fitRidge } from './ridge.ts'

/**
 * A router that is fitted: for each arm a ridge regression of what the arm scores above the mean of all arms on that query
 * predicts from the query's features what it would score, and the arm with the highest prediction is taken (algorithm
 * selection by regression: Rice, Advances in Computers 15, 1976; Leyton-Brown, Nudelman, Shoham, JACM 56, 2009).
 *
 * Each fold's models are fitted on the other folds, a split's on dev: standardisation, penalty and weights see no query that
 * they are judged on. The penalty is the one whose choices score best on those queries, each chosen for by the fit without
 * it; of equal ones the largest. With an infinite penalty predictions are the arms' means: the best single arm. A smaller one
 * must beat it by a standard error of the difference, or the router does not route.
 */
export interface RouterInput {
  /** By query: features. */
  readonly features: readonly ArrayLike<number>[]
  /** By arm, by query: the primary measure; NaN where a query does not count. */
  readonly values: readonly Float64Array[]
  /** Each query's fold from `makeFolds`, or part from `makeSplit`. */
  readonly parts: Uint8Array
  readonly kind: 'folds' | 'split'
  readonly better: 'higher' | 'lower'
}

export interface FittedRouter {
  /** By query: the arm taken; -1 on a split's dev queries. */
  readonly picked: Int32Array
  /** Of each fold, or the split's one; Infinity where it does not route. */
  readonly penalties: readonly number[]
  /** How much better it scores on the queries that it was fitted on than on others; above 0 where that flatters. */
  readonly optimism: number
}

/** In units of the number of rows; the last takes the arms' means. */
export const PENALTIES = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, Number.POSITIVE_INFINITY]

export function fitRouter(input: RouterInput): FittedRouter {
  const { features, values, parts, kind, better } = input
  const sign = better === 'higher' ? 1 : -1
  const counts = (query: number) => values.every((arm) => !Number.isNaN(arm[query]))
  const all = [...parts.keys()]
  const fitOn = (queries: readonly number[]) =>
    chooserOf(
      queries.map((query) => features[query]),
      values.map((arm) => Float64Array.from(queries, (query) => sign * arm[query])),
    )
  const meanOf = (queries: readonly number[], arms: ArrayLike<number>) => {
    const counted = queries.filter(counts)
    return counted.reduce((sum, query) => sum + values[arms[query]][query], 0) / Math.max(1, counted.length)
  }
  const picked = new Int32Array(parts.length).fill(-1)
  const penalties: number[] = []
  const scored = kind === 'split' ? [1] : [...new Set(parts)].sort((a, b) => a - b)
  for (const part of scored) {
    const { take, penalty } = fitOn(all.filter((query) => parts[query] !== part && counts(query)))
    penalties.push(penalty)
    for (const query of all) if (parts[query] === part) picked[query] = take(features[query])
  }
  const tuning = all.filter((query) => (kind === 'folds' || parts[query] === 0) && counts(query))
  const { take } = fitOn(tuning)
  const seen = meanOf(
    tuning,
    features.map((row) => take(row)),
  )
  const honest = meanOf(
    all.filter((query) => picked[query] >= 0),
    picked,
  )
  return { picked, penalties, optimism: sign * (seen - honest) }
}

/** `values` by arm, by row, the higher the better. */
function chooserOf(rows: readonly ArrayLike<number>[], values: readonly Float64Array[]) {
  const targets = values.map((own) =>
    own.map((value, row) => value - values.reduce((sum, arm) => sum + arm[row], 0) / values.length),
  )
  if (rows.length < 2) return { take: () => 0, penalty: Number.POSITIVE_INFINITY }
  const fits = PENALTIES.map((penalty) => {
    const ridge = fitRidge(rows, targets, penalty)
    const scores = rows.map((_, row) => values[highest(ridge.held.map((arm) => arm[row]))][row])
    return { penalty, ridge, scores }
  })
  const alone = fits[fits.length - 1]
  let best = alone
  for (const one of fits.toReversed()) if (sum(one.scores) > sum(best.scores)) best = one
  const gains = best.scores.map((score, row) => score - alone.scores[row])
  const mean = sum(gains) / gains.length
  const error = Math.sqrt(
    gains.reduce((total, gain) => total + (gain - mean) ** 2, 0) / (gains.length * (gains.length - 1)),
  )
  const { ridge, penalty } = mean > error ? best : alone
  return { take: (row: ArrayLike<number>) => highest(ridge.predict(row)), penalty }
}

/** The index of the highest; of equal ones the first. */
function highest(values: readonly number[]): number {
  return values.indexOf(Math.max(...values))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
