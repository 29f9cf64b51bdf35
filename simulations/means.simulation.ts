import { makeFolds } from '../src/statistics/folds.ts'
import { meanInterval, selectedTail } from '../src/statistics/mean-interval.ts'
import { ANY, SHARE } from '../src/statistics/range.ts'
import { momentsOf } from '../src/statistics/summarize.ts'
import { tune, tunedValues } from '../src/statistics/tuned.ts'
import { nullGrid, SHAPES, VALUES, type Values } from './null-grids.ts'

const GRIDS = 400
/** The true mean of every trial (null-grids.ts). */
const TRUE: Readonly<Record<Values, number>> = {
  normal: 0.5,
  ties: 0.5,
  skew: Math.exp(0.72) / 20,
  'near-binary': 0.5,
}

/**
 * Share of grids in which the interval of the top row's mean contains its true mean: 400 grids a case of equal trials, 100 queries. The goal
 * is .95, whichever row is on top by luck.
 */
export default {
  name: 'means',
  run() {
    return (['no folds', '5 folds'] as const).flatMap((how) =>
      Object.keys(SHAPES).flatMap((shape) =>
        VALUES.map((values) => ({
          case: `${shape}, ${values}, ${how}`,
          coverage: coverageOf(SHAPES[shape], values, how === '5 folds'),
          goal: 0.95,
        })),
      ),
    )
  },
}

function coverageOf(sizes: readonly number[], values: Values, tuning: boolean): number {
  let covered = 0
  for (let seed = 0; seed < GRIDS; seed++) {
    const { names, strategies, matrix } = nullGrid(sizes, values, 100, seed)
    const ids = Array.from(matrix[0], (_, query) => `q${query}`)
    const folds = makeFolds({ ids, categories: ids.map(() => null), folds: 5, seed })
    const rows = tuning
      ? tune({ trials: names, strategies, matrix, parts: folds, kind: 'folds', better: 'higher' })
      : []
    const columns = tuning ? rows.map((row) => tunedValues(row, matrix)) : matrix
    const tail = selectedTail(
      columns.map((own) => [own]),
      {
        ...{ level: 0.05, draws: 1000, seed },
        ...(tuning && {
          tuned: {
            trials: rows.map(({ strategy }) => matrix.filter((_, trial) => strategies[trial] === strategy)),
            strata: ids.map(() => 0),
            folds: [...folds],
          },
        }),
      },
    )
    const top = columns.reduce((a, b) => (momentsOf(b).mean > momentsOf(a).mean ? b : a))
    const bounded = values === 'ties' || values === 'near-binary'
    const { low, high } = meanInterval([top], tail, bounded ? SHARE : ANY)
    if ((low ?? 1) <= TRUE[values] && TRUE[values] <= (high ?? 0)) covered++
  }
  return covered / GRIDS
}
