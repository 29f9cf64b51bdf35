import { errorRates } from './compare-grid.ts'
import { nullGrid, SHAPES, VALUES } from './null-grids.ts'

const GRIDS = 1000
const LEVEL = 0.05

/**
 * The error rates of the comparison: 1,000 grids each over 100 queries, every trial of the same true quality (null-grids.ts),
 * so that every finding is false. Each strategy's best trial is compared with the first trial, or, with folds, each tuned
 * row with the first. Goals: `false verdicts` at most level + 2 standard errors, the intervals contain the truth in 95 %.
 *
 *     false verdicts  share of grids with any verdict of better or worse
 *     leader          share of grids in which the interval of the largest difference contains the truth
 *     all             share of grids in which all intervals do
 */
export default {
  name: 'selection',
  async run() {
    const goal = LEVEL + 2 * Math.sqrt((LEVEL * (1 - LEVEL)) / GRIDS)
    const cases = (['no folds', '5 folds'] as const).flatMap((how) =>
      Object.keys(SHAPES).flatMap((shape) => VALUES.map((values) => ({ how, shape, values }))),
    )
    return cases.map(({ how, shape, values }) => {
      const rates = errorRates(GRIDS, (seed) => nullGrid(SHAPES[shape], values, 100, seed), how)
      return {
        name: `${shape}, ${values}, ${how}`,
        'false verdicts': rates.found,
        goal,
        leader: rates.leader,
        all: rates.all,
      }
    })
  },
}
