import { type CompareInput, closeToBest, compareTrials, type RankedRow } from '../src/statistics/compare.ts'
import type { RowsInput } from '../src/statistics/sample.ts'

/** 999 resamples: 2.5 % on either side of 1,000 are a whole number, so that the level is exact. */
export const HOW = { level: 0.05, draws: 999, better: 'higher' } as const

type Rows = Pick<RowsInput, 'matrix'> & Partial<CompareInput>

/** Compares rows; by default, all others with the first. */
export function compareRows(input: Rows) {
  const { names = namesOf(input) } = input
  const family = names.slice(1).map((name) => ({ name, baseline: names[0] }))
  return compareTrials({ ...HOW, seed: 0, correction: 'max-t', family, ...input, names })
}

const namesOf = ({ matrix }: Rows) => matrix.map((_, row) => `r${row}`)

/** Rows without a true difference; the ranked ones are compared with the best, by default all. */
export type NullGrid = Rows & { readonly ranked?: readonly RankedRow[] }

/**
 * False verdicts over grids, with two standard errors. All rows are equal, so any one is the true best: the last column counts,
 * in the first 400 grids, those in which the first ranked row is told apart from the best.
 */
export function errorRates(grids: number, gridOf: (seed: number) => NullGrid, isRanked = true) {
  const rankings = isRanked ? Math.min(400, grids) : 0
  let [wrong, untested, apart] = [0, 0, 0]
  for (let seed = 0; seed < grids; seed++) {
    const grid = { ...gridOf(seed), seed }
    const rows = compareRows(grid)
    if (rows.some(({ verdict }) => verdict !== 'cannot tell')) wrong++
    untested += rows.filter((row) => row.untested !== undefined).length / rows.length
    const { names = namesOf(grid), ranked = names.map((name) => ({ name })) } = grid
    if (
      seed < rankings &&
      closeToBest({ ...HOW, ...grid, names }, ranked)?.includes(ranked[0].name) === false
    )
      apart++
  }
  const share = wrong / grids
  return {
    grids,
    'false %': percent(share),
    '±': percent(2 * Math.sqrt((share * (1 - share)) / grids)),
    'untested %': percent(untested / grids),
    'best apart %': rankings > 0 ? percent(apart / rankings) : null,
  }
}

/** Percent with one decimal. */
export const percent = (share: number): number => Math.round(1000 * share) / 10
