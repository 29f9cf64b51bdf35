import { fitRouter } from '../src/experiment/finish/fit-router.ts'
import { ratioInterval } from '../src/statistics/intervals.ts'
import { makeFolds, makeSplit, tune, tunedValues } from '../src/statistics/tuned.ts'
import { createGenerator, type Shape } from './grids.ts'
import { compareRows, HOW, percent } from './rates.ts'

const GRIDS = 400

/**
 * Fitted routers over three equal arms and uninformative features, 400 grids a cell. `routes`: models that use more than one
 * arm. `folds` and `split`: false verdicts of a test that takes the row as fixed; in folds, a run gives none. `share`: intervals
 * of the share of the headroom, in folds, that exclude 0.
 */
export default {
  name: 'router',
  sizes: [50, 100, 300],
  run: (n: number) =>
    (['normal', '0/1', 'exponential'] as const).flatMap((shape) =>
      [1, 10, 40].map((features) => ({ shape, n, features, ...ratesOf(shape, n, features) })),
    ),
}

function ratesOf(shape: Shape, n: number, count: number) {
  const rates = { 'routes %': 0, 'folds %': 0, 'split %': 0, 'share %': 0 }
  for (let seed = 0; seed < GRIDS; seed++) {
    const { grid, uniform } = createGenerator(1000 * seed + n + count)
    const { row } = grid(shape, n)
    const values = [row(), row(), row()]
    const features = Array.from({ length: n }, () => Float64Array.from({ length: count }, uniform))
    const ids = features.map((_, query) => `q${query}`)
    const divided = { ids, categories: ids.map(() => null), seed }
    const fitted = (kind: 'folds' | 'split', parts: Uint8Array) => {
      const router = fitRouter({ features, nominal: false, values, parts, kind, better: 'higher' })
      return { ...router, row: tunedValues(router, values) }
    }
    const isFalse = (routed: Float64Array) =>
      compareRows({ matrix: [values[0], routed], seed })[0].verdict !== 'cannot tell'
    const parts = makeFolds({ ...divided, folds: 5 })
    const folds = fitted('folds', parts)
    const share = shareInterval(folds.row, values, parts)
    rates['routes %'] += folds.features.filter((feature) => feature !== null).length / folds.features.length
    rates['folds %'] += Number(isFalse(folds.row))
    rates['split %'] += Number(isFalse(fitted('split', makeSplit({ ...divided, dev: 0.5 })).row))
    rates['share %'] += Number(share !== null && (share.low > 0 || share.high < 0))
  }
  return Object.fromEntries(Object.entries(rates).map(([name, sum]) => [name, percent(sum / GRIDS)]))
}

/** Fieller's interval of the share that the router gains of what the best arm of each query would gain over the tuned one. */
function shareInterval(row: Float64Array, matrix: readonly Float64Array[], parts: Uint8Array) {
  const trials = matrix.map((_, arm) => `${arm}`)
  const strategies = trials.map(() => 'arm')
  const [tuned] = tune({ trials, strategies, matrix, parts, kind: 'folds', better: 'higher' })
  const single = tunedValues(tuned, matrix)
  const oracle = single.map((_, query) => Math.max(...matrix.map((arm) => arm[query])))
  const above = (values: Float64Array) => values.map((value, query) => value - single[query])
  return ratioInterval(above(row), above(oracle), HOW.level)
}
