import { closeToBest, type RankedRow } from '../src/statistics/best.ts'
import { compareTrials, type Pair, type RowsInput } from '../src/statistics/compare.ts'

/** 599 resamples: 2.5 % on either side of 600 are a whole number, so that the level is exact. */
export const HOW = { level: 0.05, draws: 599, better: 'higher' } as const

/** Rows without a true difference. */
export interface NullGrid extends Pick<RowsInput, 'matrix' | 'strata' | 'clusters' | 'tuned'> {
  /** Names of the rows; by default r0, r1 and so on. */
  readonly names?: readonly string[]
  /** Comparisons; by default of all other rows with the first. */
  readonly family?: readonly Pair[]
  /** Rows compared with the best; by default all. */
  readonly ranked?: readonly RankedRow[]
}

/**
 * False verdicts over grids, with two standard errors. All rows are equal, so any one is the true best: the last column counts,
 * in the first 400 grids, those in which the first ranked row is told apart from the best.
 */
export function errorRates(grids: number, gridOf: (seed: number) => NullGrid, isRanked = true) {
  const rankings = isRanked ? Math.min(400, grids) : 0
  let [wrong, untested, apart] = [0, 0, 0]
  for (let seed = 0; seed < grids; seed++) {
    const grid = gridOf(seed)
    const names = grid.names ?? grid.matrix.map((_, row) => `r${row}`)
    const { family = names.slice(1).map((name) => ({ name, baseline: names[0] })) } = grid
    const { ranked = names.map((name) => ({ name })) } = grid
    const input = { ...HOW, ...grid, names, seed }
    const compared = compareTrials({ ...input, family, correction: 'max-t' })
    if (compared.some(({ verdict }) => verdict !== 'cannot tell')) wrong++
    untested += compared.filter((row) => row.untested !== undefined).length / compared.length
    if (seed < rankings && closeToBest(input, ranked)?.includes(ranked[0].name) === false) apart++
  }
  return {
    grids,
    'false %': percent(wrong / grids),
    '±': percent(2 * Math.sqrt(((wrong / grids) * (1 - wrong / grids)) / grids)),
    'untested %': percent(untested / grids),
    'best apart %': rankings > 0 ? percent(apart / rankings) : null,
  }
}

/** Percent with one decimal. */
export const percent = (share: number): number => Math.round(1000 * share) / 10
