import { compareTrials } from '../src/statistics/compare.ts'
import { meanInterval } from '../src/statistics/mean-interval.ts'
import { createRandom } from '../src/statistics/random.ts'
import { ANY } from '../src/statistics/range.ts'

/** How much queries, seeds and both together vary, as standard deviations. */
export interface Spread {
  readonly queries: number
  readonly seeds: number
  readonly rest: number
}

/** Near enough to normal: the sum of 12 uniforms, less 6. */
function normals(seed: number): () => number {
  const { uniform } = createRandom(seed)
  return () => Array.from({ length: 12 }, uniform).reduce((sum, one) => sum + one, -6)
}

/** One row of true mean 0: values by repeat and query. */
function drawRow(n: number, repeats: number, { queries, seeds, rest }: Spread, draw: () => number) {
  const own = Array.from({ length: n }, () => queries * draw())
  return Array.from({ length: repeats }, () => {
    const seed = seeds * draw()
    return Float64Array.from(own, (value) => value + seed + rest * draw())
  })
}

function meansOf(repeats: readonly Float64Array[]): Float64Array {
  return repeats[0].map(
    (_, query) => repeats.reduce((sum, values) => sum + values[query], 0) / repeats.length,
  )
}

/**
 * Shares of `runs` grids without a true difference, a fixed baseline next to `rows` stochastic rows: with a false
 * verdict, with the mean of the first row in its interval, and with all differences in theirs. `seeds: false` forgets the
 * repeats, as a comparison of their means alone would.
 */
export function repeatedRates(
  runs: number,
  { n, repeats, rows = 1, spread, seeds = true }: RepeatedGrid,
): { found: number; mean: number; all: number } {
  let [found, covered, all] = [0, 0, 0]
  for (let run = 0; run < runs; run++) {
    const draw = normals(1 + run)
    const base = Float64Array.from({ length: n }, () => spread.queries * draw())
    const drawn = Array.from({ length: rows }, () => drawRow(n, repeats, spread, draw))
    const matrix = drawn.map(meansOf)
    const names = matrix.map((_, row) => `r${row}`)
    const compared = compareTrials({
      ...{ names: ['base', ...names], matrix: [base, ...matrix], draws: 1000, seed: run },
      ...{ level: 0.05, correction: 'max-t', better: 'higher' },
      family: names.map((name) => ({ name, baseline: 'base' })),
      ...(seeds && { repeats: new Map(names.map((name, row) => [name, drawn[row]])) }),
    })
    if (compared.some(({ verdict }) => verdict === 'better' || verdict === 'worse')) found++
    if (compared.every(({ low, high }) => low <= 0 && high >= 0)) all++
    const own = seeds ? drawn[0].map((values) => [values]) : undefined
    const { low, high } = meanInterval([matrix[0]], 0.025, ANY, own)
    if ((low ?? 1) <= 0 && (high ?? -1) >= 0) covered++
  }
  return { found: found / runs, mean: covered / runs, all: all / runs }
}

interface RepeatedGrid {
  readonly n: number
  readonly repeats: number
  readonly rows?: number
  readonly spread: Spread
  readonly seeds?: boolean
}
