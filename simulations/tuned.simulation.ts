import { momentsOf } from '../src/statistics/moments.ts'
import { makeFolds, tune, tunedValues } from '../src/statistics/tuned.ts'
import { createGenerator, type Shape } from './grids.ts'
import { errorRates, type NullGrid } from './rates.ts'

const SHAPES = ['normal', '0/1', 'recall', '+.5 on 5 %, else -.026', '+.5 on 5 %, -.05 on half'] as const
const STRATEGIES = ['s0', 's1', 's2', 's3']
/** Grids of a cell by number of trials of a strategy: many trials take long. */
const GRIDS: Readonly<Record<number, number>> = { 2: 1000, 20: 200 }

/**
 * Four strategies of 2 or 20 trials over 100 queries. Without folds, the best trial of each other strategy is compared with the
 * first trial of the first strategy. In 5 folds, the tuned rows are compared with the first strategy's.
 */
export default {
  name: 'tuned',
  sizes: Object.keys(GRIDS).map(Number),
  run: (count: number) =>
    (['best trials', '5 folds'] as const).flatMap((how) =>
      SHAPES.map((shape) => ({
        shape,
        n: 100,
        rows: `3 of ${count}, ${how}`,
        ...errorRates(GRIDS[count], (seed) => gridOf(shape, { count, seed, folds: how === '5 folds' })),
      })),
    ),
}

function gridOf(
  shape: Shape,
  { count, seed, folds }: { readonly count: number; readonly seed: number; readonly folds: boolean },
): NullGrid {
  const { row } = createGenerator(1000 * seed + count).grid(shape, 100)
  const strategies = STRATEGIES.flatMap((strategy) => new Array<string>(count).fill(strategy))
  const trials = strategies.map((_, trial) => `t${String(trial).padStart(2, '0')}`)
  const matrix = trials.map(row)
  const groupOf = <T>(list: readonly T[], strategy: number) =>
    list.slice(strategy * count, (strategy + 1) * count)
  if (!folds) {
    const means = matrix.map((values) => momentsOf(values).mean)
    const ranked = STRATEGIES.map((_, strategy) => {
      const [names, values] = [groupOf(trials, strategy), groupOf(means, strategy)]
      return { name: names[values.indexOf(Math.max(...values))], names }
    })
    const family = ranked.slice(1).map((best) => ({ ...best, baseline: trials[0] }))
    return { names: trials, matrix, family, ranked }
  }
  const ids = Array.from(matrix[0], (_, query) => `q${query}`)
  const parts = makeFolds({ ids, categories: ids.map(() => null), folds: 5, seed })
  const rows = tune({ trials, strategies, matrix, parts, kind: 'folds', better: 'higher' })
  return {
    names: STRATEGIES,
    matrix: rows.map((tuned) => tunedValues(tuned, matrix)),
    tuned: { folds: parts, trials: new Map(STRATEGIES.map((name, at) => [name, groupOf(matrix, at)])) },
  }
}
