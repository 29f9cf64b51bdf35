import { repeatedRates, type Spread } from './repeated-grids.ts'

const RUNS = 400

const SPREADS: Readonly<Record<string, Spread>> = {
  'seeds decide nothing': { queries: 1, seeds: 0, rest: 0.5 },
  'seeds as queries': { queries: 1, seeds: 0.1, rest: 0.5 },
  'seeds decide most': { queries: 0.3, seeds: 0.3, rest: 0.3 },
  'seeds decide all': { queries: 0.05, seeds: 1, rest: 0.05 },
}

/**
 * Stochastic rows and a deterministic baseline: 400 grids each, 100 queries, without a true difference. Baseline: the
 * same test and interval from the means over repeats only, ignoring that all queries share the seeds.
 *
 *     false verdicts  share of grids with any verdict of better or worse; the goal is .05
 *     mean            share in which the interval of the first row's mean contains the truth; the goal is .95
 *     all             share in which the intervals of all differences do
 */
export default {
  name: 'repeats',
  run() {
    return Object.entries(SPREADS).flatMap(([name, spread]) =>
      [2, 3, 5, 10].flatMap((repeats) =>
        [1, 4].map((rows) => {
          const how = { n: 100, repeats, rows, spread }
          const own = repeatedRates(RUNS, how)
          const forgetful = repeatedRates(RUNS, { ...how, seeds: false })
          return {
            case: `${name}, ${repeats} repeats, ${rows} ${rows === 1 ? 'row' : 'rows'}`,
            'false verdicts': own.found,
            mean: own.mean,
            all: own.all,
            'forgetful: false verdicts': forgetful.found,
            'forgetful: mean': forgetful.mean,
          }
        }),
      ),
    )
  },
}
