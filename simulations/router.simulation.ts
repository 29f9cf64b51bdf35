import { fitRouter } from '../src/experiment/finish/fit-router.ts'
import { createRandom } from '../src/random.ts'
import { compareTrials } from '../src/statistics/compare.ts'
import { makeFolds, makeSplit } from '../src/statistics/folds.ts'
import { meanInterval } from '../src/statistics/mean-interval.ts'
import { ANY, SHARE } from '../src/statistics/range.ts'
import { ratioInterval } from '../src/statistics/ratio.ts'
import { tune, tunedValues } from '../src/statistics/tuned.ts'
import { nullGrid, type Values } from './null-grids.ts'

const GRIDS = 400
const LEVEL = 0.05
/** The true mean of every arm (null-grids.ts). */
const MEANS = { normal: 0.5, ties: 0.5, skew: Math.exp(0.72) / 20 }
type Kind = keyof typeof MEANS
/** Features of a question; `kinds`: one that separates five kinds of questions. */
const FEATURES = [1, 10, 40, 'kinds'] as const

/**
 * Fitted routers over three arms without a true difference (null-grids.ts) and uninformative features: 400 grids each.
 *
 *     routes     share of the models that use more than one arm
 *     folds      share of grids in which a test that takes the row as given calls it better or worse than the first arm
 *                (level 0.05); a run gives it no verdict
 *     split      the same if it is fitted on dev and scored on test, half of the queries each
 *     share      share of grids in which Fieller's interval of the share of the headroom, with folds, excludes 0
 *     mean       share of grids in which the interval of the row's mean, with folds, contains the true mean; a run gives none
 */
export default {
  name: 'router',
  /** Queries of a grid. */
  sizes: [50, 100, 300],
  run: (queries: number) =>
    (Object.keys(MEANS) as Kind[]).flatMap((values) =>
      FEATURES.map((features) => ({
        name: `${values}, ${queries} queries, ${features === 'kinds' ? 'five kinds' : `features: ${features}`}`,
        ...ratesOf(values, queries, features),
      })),
    ),
}

function ratesOf(values: Kind, queries: number, offered: (typeof FEATURES)[number]) {
  const counts = { routes: 0, folds: 0, split: 0, share: 0, mean: 0 }
  for (let seed = 0; seed < GRIDS; seed++) {
    const arms = nullGrid([1, 1, 1], values as Values, queries, seed).matrix
    const random = createRandom(1e6 + seed)
    const features = Array.from({ length: queries }, () =>
      Float64Array.from({ length: offered === 'kinds' ? 1 : offered }, () =>
        offered === 'kinds' ? random.below(5) : random.uniform(),
      ),
    )
    const ids = features.map((_, query) => `q${query}`)
    const of = { ids, categories: ids.map(() => null), seed }
    const fitted = (kind: 'folds' | 'split', parts: Uint8Array) => {
      const router = fitRouter({
        features,
        nominal: offered === 'kinds',
        values: arms,
        parts,
        kind,
        better: 'higher',
      })
      const own = Float64Array.from(router.picked, (arm, query) => (arm < 0 ? Number.NaN : arms[arm][query]))
      return { ...router, own }
    }
    const folds = makeFolds({ ...of, folds: 5 })
    const routed = fitted('folds', folds)
    counts.routes += routed.features.filter((one) => one !== null).length / routed.features.length
    if (isTold(routed.own, arms[0], seed)) counts.folds++
    if (isTold(fitted('split', makeSplit({ ...of, dev: 0.5 })).own, arms[0], seed)) counts.split++
    const share = shareInterval(routed.own, arms, folds)
    if (share && (share.low > 0 || share.high < 0)) counts.share++
    const { low, high } = meanInterval([routed.own], LEVEL / 2, values === 'ties' ? SHARE : ANY)
    if ((low ?? 0) <= MEANS[values] && (high ?? 1) >= MEANS[values]) counts.mean++
  }
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count / GRIDS]))
}

/** True if a test that takes the row as given calls it better or worse than the other. */
function isTold(own: Float64Array, other: Float64Array, seed: number): boolean {
  const [row] = compareTrials({
    ...{ names: ['router', 'arm'], matrix: [own, other], family: [{ name: 'router', baseline: 'arm' }] },
    ...{ level: LEVEL, correction: 'max-t', draws: 1000, seed, better: 'higher' },
  })
  return row.verdict === 'better' || row.verdict === 'worse'
}

function shareInterval(own: Float64Array, arms: readonly Float64Array[], parts: Uint8Array) {
  const trials = arms.map((_, arm) => `${arm}`)
  const strategies = trials.map(() => 'arm')
  const [row] = tune({ trials, strategies, matrix: arms, parts, kind: 'folds', better: 'higher' })
  const single = tunedValues(row, arms)
  const oracle = own.map((_, query) => Math.max(...arms.map((arm) => arm[query])))
  const above = (values: Float64Array) => values.map((value, query) => value - single[query])
  return ratioInterval(above(own), above(oracle), LEVEL)
}
