import { normalTail, studentQuantile } from '../../statistics/distributions.ts'

/**
 * A router that is fitted: what an arm scores on a query above the mean of all arms is regressed on one feature x of the
 * query, and the arm with the highest prediction is taken (algorithm selection by regression: Rice, Advances in Computers
 * 15, 1976; one feature: Holte, Machine Learning 11, 1993). With means over n queries
 *
 *     prediction(x) = mean(y) + b (x - mean(x)),    b = sum (x - mean(x)) y / S,    S = sum (x - mean(x))^2
 *
 * and for a query that is left out of its own fit (Allen, Technometrics 16, 1974)
 *
 *     held_i = y_i - (y_i - prediction_i) / (1 - h_i),    h_i = 1/n + (x_i - mean(x))^2 / S
 *
 * The feature is the one whose choices by `held` score best; of equal ones the first. Its gain over the best single arm, chosen
 * the same way, must be c standard errors of the paired difference, or that arm is taken for every query. c is Student's
 * quantile of the tail P(Z > 1.5) = 6.7 %, divided by the features tried (Bonferroni): so a model that could choose among
 * fifty features that tell nothing routes as seldom as one that had a single one. Regressing on all features at once
 * (ridge) routed no better on real sets, and missed what one feature showed.
 *
 * If there is one feature and it is nominal (`nominal`: a kind of question), each of its values takes the arm that scores best
 * on the queries of that value, where it beats the best single arm there by c standard errors, corrected for all values
 * and all other arms; else that arm.
 *
 * Each fold's model is fitted on the other folds, a split's on dev: means, feature and fallback see no query that they are
 * judged on.
 */
export interface RouterInput {
  readonly features: readonly ArrayLike<number>[]
  /** Its numbers have no order. */
  readonly nominal?: boolean
  readonly values: readonly Float64Array[]
  readonly parts: Uint8Array
  readonly kind: 'folds' | 'split'
  readonly better: 'higher' | 'lower'
}

interface RouterFit {
  /** Arm by query; -1 on dev queries of a split. */
  readonly picked: Int32Array
  /** Feature index of each model; null if it takes the best single arm. */
  readonly features: readonly (number | null)[]
  /** Mean on fitting queries minus mean on held-out queries. */
  readonly optimism: number
}

/** Minimum gain in standard errors of the best of `tried` features over n queries. */
function leastErrors(tried: number, n: number): number {
  return studentQuantile(normalTail(1.5) / Math.max(1, tried), n - 1)
}

export function fitRouter({ features, nominal, values, parts, kind, better }: RouterInput): RouterFit {
  const sign = better === 'higher' ? 1 : -1
  const counts = (query: number) => values.every((arm) => !Number.isNaN(arm[query]))
  const all = [...parts.keys()]
  const fitOn = (queries: readonly number[]) =>
    (nominal ? chooserByKind : chooserOf)(
      queries.map((query) => features[query]),
      values.map((arm) => queries.map((query) => sign * arm[query])),
    )
  const scoreOf = (queries: readonly number[], arms: ArrayLike<number>) =>
    meanOf(queries.filter(counts).map((query) => values[arms[query]][query]))
  const picked = new Int32Array(parts.length).fill(-1)
  const scored = kind === 'split' ? [1] : [...new Set(parts)].sort((a, b) => a - b)
  const chosen = scored.map((part) => {
    const { take, feature } = fitOn(all.filter((query) => parts[query] !== part && counts(query)))
    for (const query of all) if (parts[query] === part) picked[query] = take(features[query])
    return feature
  })
  const tuning = all.filter((query) => (kind === 'folds' || parts[query] === 0) && counts(query))
  const { take } = fitOn(tuning)
  const seen = scoreOf(
    tuning,
    features.map((row) => take(row)),
  )
  const honest = scoreOf(
    all.filter((query) => picked[query] >= 0),
    picked,
  )
  return { picked, features: chosen, optimism: sign * (seen - honest) }
}

interface Chooser {
  take(row: ArrayLike<number>): number
  readonly feature: number | null
}

function chooserOf(rows: readonly ArrayLike<number>[], values: readonly (readonly number[])[]): Chooser {
  if (rows.length < 2) return { take: () => 0, feature: null }
  const means = rows.map((_, row) => meanOf(values.map((arm) => arm[row])))
  const targets = values.map((arm) => arm.map((value, row) => value - means[row]))
  const scoresOf = (heldOut: readonly (readonly number[])[]) =>
    rows.map((_, row) => values[highest(heldOut.map((arm) => arm[row]))][row])
  const averages = targets.map(meanOf)
  const single = scoresOf(targets.map(meansOfOthers))
  let best: Chooser = { take: () => highest(averages), feature: null }
  let most = 0
  const tried = Array.from(rows[0], (_, feature) => feature).filter((feature) =>
    rows.some((row) => row[feature] !== rows[0][feature]),
  )
  const least = leastErrors(tried.length, rows.length)
  for (const feature of tried) {
    const lines = targets.map((y) =>
      fitLine(
        rows.map((row) => row[feature]),
        y,
      ),
    )
    const gains = scoresOf(lines.map(({ heldOut }) => heldOut)).map((score, row) => score - single[row])
    const gain = meanOf(gains)
    if (gain <= most || gain <= least * errorOf(gains)) continue
    most = gain
    best = { take: (row) => highest(lines.map(({ predict }) => predict(row[feature]))), feature }
  }
  return best
}

/** `rows` hold the number of a kind. */
function chooserByKind(rows: readonly ArrayLike<number>[], values: readonly (readonly number[])[]): Chooser {
  const single = rows.length === 0 ? 0 : highest(values.map(meanOf))
  const arms = new Map<number, number>()
  const kinds = new Set(rows.map((row) => row[0]))
  const tried = kinds.size * (values.length - 1)
  for (const kind of kinds) {
    const members = rows.flatMap((values, row) => (values[0] === kind ? [row] : []))
    const best = highest(values.map((arm) => meanOf(members.map((row) => arm[row]))))
    const gains = members.map((row) => values[best][row] - values[single][row])
    const gain = meanOf(gains)
    if (members.length > 1 && gain > 0 && gain > leastErrors(tried, members.length) * errorOf(gains))
      arms.set(kind, best)
  }
  return { take: (row) => arms.get(row[0]) ?? single, feature: arms.size > 0 ? 0 : null }
}

/** A line by least squares; the mean if x does not vary. */
function fitLine(x: readonly number[], y: readonly number[]) {
  const n = x.length
  const [middle, mean] = [meanOf(x), meanOf(y)]
  const from = x.map((value) => value - middle)
  const spread = from.reduce((sum, value) => sum + value * value, 0)
  // Rounding alone gives a constant a spread.
  const varies = Math.sqrt(spread / n) > 1e-12 * Math.abs(middle)
  const slope = varies ? from.reduce((sum, value, i) => sum + value * y[i], 0) / spread : 0
  const predict = (at: number) => mean + slope * (at - middle)
  const others = meansOfOthers(y)
  const heldOut = y.map((value, i) => {
    const free = 1 - 1 / n - from[i] ** 2 / spread
    // Without the one that differs the others do not vary.
    return varies && free > 1e-9 ? value - (value - predict(x[i])) / free : others[i]
  })
  return { predict, heldOut }
}

function meansOfOthers(values: readonly number[]): number[] {
  const sum = meanOf(values) * values.length
  return values.map((value) => (sum - value) / (values.length - 1))
}

function highest(values: readonly number[]): number {
  return values.indexOf(Math.max(...values))
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

function errorOf(values: readonly number[]): number {
  const mean = meanOf(values)
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return Math.sqrt(squares / (values.length * (values.length - 1)))
}
