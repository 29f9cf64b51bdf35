import { createGenerator, SHAPES } from './grids.ts'
import { errorRates } from './rates.ts'

/** Grids of a cell by number of rows: many rows take long. */
const GRIDS: Readonly<Record<number, number>> = { 1: 2000, 6: 2000, 20: 2000, 100: 400 }

/**
 * Rows compared with a baseline over `n` independent queries. Exception: of the values "+.5 on 5 %, -.05 on half", small samples
 * show too few gains, and 8 % of those of 50 queries show none. No test can see gains that a sample lacks.
 */
export default {
  name: 'null',
  sizes: Object.keys(GRIDS).map(Number),
  run: (rows: number) =>
    SHAPES.flatMap((shape) =>
      [50, 100, 300].map((n) => ({
        shape,
        n,
        rows,
        ...errorRates(
          GRIDS[rows],
          (seed) => {
            const { baseline, row } = createGenerator(1000 * seed + n + rows).grid(shape, n)
            return { matrix: [baseline, ...Array.from({ length: rows }, row)] }
          },
          rows === 6,
        ),
      })),
    ),
}
