import { ANY, SHARE } from '../src/metrics/range.ts'
import { createRandom } from '../src/random.ts'
import { momentsOf } from '../src/statistics/moments.ts'
import { createGenerator } from './grids.ts'
import { compareRows, HOW, percent } from './rates.ts'

const GRIDS = 500
const SHAPES = ['normal', '0/1', 'recall', 'exponential'] as const
type Shape = (typeof SHAPES)[number]

/**
 * Power, 500 grids a cell. `detectable` is the difference that comparisons call detectable (median of 50 grids). One row
 * of the family is better by it, or by 70 % of it: shares gain on some queries as much as they can, others evenly. `found`: by
 * the comparison; `flips`: by sign flips with the maximum over the family, as a peer. The goal at 100 % is 80.
 */
export default {
  name: 'power',
  sizes: [50, 100],
  run: (n: number) => SHAPES.flatMap((shape) => [1, 6].flatMap((rows) => powerOf(shape, n, rows))),
}

function powerOf(shape: Shape, n: number, rows: number) {
  const isShare = shape === '0/1' || shape === 'recall'
  /** A baseline and rows, the first of them with a gain. */
  const gridOf = (seed: number, gain: number) => {
    const { grid, uniform } = createGenerator(1000 * seed + n + rows)
    const { baseline, row } = grid(shape, n)
    // The mean of shares is .5, so a row gains half of the share of queries that become 1.
    const gained = row().map((value) => (!isShare ? value + gain : uniform() < 2 * gain ? 1 : value))
    return [baseline, gained, ...Array.from({ length: rows - 1 }, row)]
  }
  const range = isShare ? SHARE : ANY
  const firstOf = (matrix: readonly Float64Array[], seed: number) => compareRows({ matrix, range, seed })[0]
  const stated = Array.from({ length: 50 }, (_, seed) => firstOf(gridOf(seed, 0), seed).detectable ?? 1)
  const detectable = stated.sort((a, b) => a - b)[25]
  return [0.7, 1].map((share) => {
    const grids = Array.from({ length: GRIDS }, (_, grid) => gridOf(50 + grid, share * detectable))
    const found = grids.filter((matrix, seed) => firstOf(matrix, seed).verdict === 'better')
    return {
      shape,
      n,
      rows,
      detectable: Math.round(1000 * detectable) / 1000,
      'of it %': 100 * share,
      'found %': percent(found.length / GRIDS),
      'flips %': percent(grids.filter(isFoundByFlips).length / GRIDS),
    }
  })
}

/** True if sign flips of the differences, with the maximum of |t| over the family, call the first row better. */
function isFoundByFlips([baseline, ...rows]: readonly Float64Array[], seed: number): boolean {
  const { bits } = createRandom(seed)
  const differences = rows.map((row) => row.map((value, query) => value - baseline[query]))
  const squares = differences.map((values) => values.reduce((sum, value) => sum + value ** 2, 0))
  const n = baseline.length
  const t = (sum: number, row: number) => sum / Math.sqrt(squares[row] - sum ** 2 / n)
  const observed = t(n * momentsOf(differences[0]).mean, 0)
  let above = 1
  for (let draw = 0; draw < HOW.draws; draw++) {
    const signs = baseline.map(() => (bits() & 1 ? 1 : -1))
    const sums = differences.map((values) => values.reduce((sum, value, at) => sum + signs[at] * value, 0))
    if (sums.some((sum, row) => Math.abs(t(sum, row)) >= observed)) above++
  }
  return above / (HOW.draws + 1) <= HOW.level
}
