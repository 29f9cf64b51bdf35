import { createRandom } from '../src/random.ts'
import { momentsOf } from '../src/statistics/summarize.ts'
import { compareGrid } from './compare-grid.ts'
import { type Grid, nullGrid, VALUES, type Values } from './null-grids.ts'

const GRIDS = 1000

/**
 * Gives every query of a trial the same gain, or some queries a whole one: their value becomes 1, on as many as the mean
 * gain takes. Shares gain as the second does.
 */
const GAINS = {
  even: (row: Float64Array, gain: number) => row.map((value) => value + gain),
  whole(row: Float64Array, gain: number, seed: number) {
    const { uniform } = createRandom(seed)
    const chance = gain / (1 - momentsOf(row).mean)
    return row.map((value) => (uniform() < chance ? 1 : value))
  },
}

/** Values of 0 and 1 of independent systems, next to those of the other simulations. */
const CASES: readonly { values: Values | 'binary'; gain: keyof typeof GAINS }[] = [
  ...VALUES.map((values) => ({ values, gain: 'even' as const })),
  ...(['ties', 'near-binary', 'binary'] as const).map((values) => ({ values, gain: 'whole' as const })),
]

function gridOf(sizes: readonly number[], values: Values | 'binary', seed: number): Grid {
  if (values !== 'binary') return nullGrid(sizes, values, 100, seed)
  const grid = nullGrid(sizes, 'normal', 100, seed)
  return { ...grid, matrix: grid.matrix.map((row) => row.map((value) => (value > 0.5 ? 1 : 0))) }
}

/** How often the difference that one grid calls detectable is found in another. */
export function foundDetectable(
  family: number,
  { values, gain }: (typeof CASES)[number],
  grids: number,
): number {
  const sizes = new Array<number>(family + 1).fill(1)
  const of = (rows: ReturnType<typeof compareGrid>) => rows.find(({ id }) => id === 's1-0')
  let found = 0
  for (let run = 0; run < grids; run++) {
    const size = of(compareGrid(gridOf(sizes, values, 2 * run), 'no folds', run))?.detectable ?? 0
    const grid = gridOf(sizes, values, 2 * run + 1)
    const matrix = grid.matrix.map((row, index) => (index === 1 ? GAINS[gain](row, size, run) : row))
    if (of(compareGrid({ ...grid, matrix }, 'no folds', run))?.verdict === 'better') found++
  }
  return found / grids
}

/**
 * Power at the difference that a comparison calls detectable: 1,000 pairs of grids a case over 100 queries, a
 * baseline and a family of single trials. The detectable difference comes from the first grid. In the second grid, the first trial of the family is better by that much in the mean. The goal is .8.
 */
export default {
  name: 'power',
  run() {
    return [1, 8, 15].flatMap((family) =>
      CASES.map((one) => ({
        case: `family of ${family}, ${one.values}, ${one.gain} gains`,
        found: foundDetectable(family, one, GRIDS),
        promised: 0.8,
      })),
    )
  },
}
