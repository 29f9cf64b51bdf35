import { nullGrid, VALUES } from './null-grids.ts'
import { compareGrid } from './simulate.ts'

const GRIDS = 1000

/**
 * Whether the difference that a comparison calls detectable is found: 1,000 pairs of grids a case over 100 queries, a
 * baseline and a family of single trials. Of the first grid the detectable difference is read; in the second, fresh one, the
 * first trial of the family is better by that much on every query. The promise is .8.
 */
export default {
  name: 'power',
  run() {
    return [1, 8, 15].flatMap((family) =>
      VALUES.map((values) => {
        const sizes = new Array<number>(family + 1).fill(1)
        let found = 0
        for (let run = 0; run < GRIDS; run++) {
          const pilot = nullGrid(sizes, values, 100, 2 * run)
          const of = (rows: ReturnType<typeof compareGrid>) => rows.find(({ id }) => id === 's1-0')
          const size = of(compareGrid(pilot, 'no folds', run))?.detectable ?? 0
          const grid = nullGrid(sizes, values, 100, 2 * run + 1)
          const matrix = grid.matrix.map((row, index) =>
            index === 1 ? row.map((value) => value + size) : row,
          )
          if (of(compareGrid({ ...grid, matrix }, 'no folds', run))?.verdict === 'better') found++
        }
        return { case: `family of ${family}, ${values}`, found: found / GRIDS, promised: 0.8 }
      }),
    )
  },
}
