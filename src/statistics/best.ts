import { bootstrapExtremes, studentized } from './bootstrap.ts'
import { contestsOf, fieldOf, jackknifed, pairTest, ROUNDING, type RowsInput } from './compare.ts'
import { studentTail } from './distributions.ts'

/** A ranked row, with the rows that it was chosen from by their values. */
export interface RankedRow {
  readonly name: string
  readonly names?: readonly string[]
}

/**
 * Names of the rows that cannot be told apart from the best (comparisons with the best: Hsu, Annals of Statistics 12,
 * 1984). Exact tests and Student's t are corrected by Bonferroni. Null if the sample allows no test. Row i is told apart
 * if, for some row j,
 *
 *     (mean_j - mean_i) / error > the quantile at 1 - level of the maximum over j of t*
 */
export function closeToBest(input: RowsInput, ranked: readonly RankedRow[]): string[] | null {
  const field = fieldOf(input)
  const { sample, totals, trials, folds, indexOf } = field
  if (sample.method.kind === 'none') return null
  if (sample.method.kind === 'student' && folds) return null
  const rows = ranked.map(({ name }) => indexOf(name))
  const candidates = [...new Set(ranked.flatMap(({ name, names }) => (names ?? [name]).map(indexOf)))]
  const { contests, groups } = contestsOf(
    rows.map((row) => ({ a: row, b: row, as: candidates, bs: [] })),
    (a, b) => pairTest(field, a, b).kind === 'bootstrap',
  )
  const extremes = bootstrapExtremes({ ...input, sample, rows: trials, folds, contests, groups })
  const isApart = (row: number, at: number): boolean => {
    const others = rows.filter((other) => other !== row)
    const share = input.level / Math.max(1, candidates.length - 1)
    const highest = extremes[at].highest.slice().sort()
    const resampled = groups[at].above.length
    // The bootstrap's share of the level is that of its contests.
    const allowed = Math.floor(share * resampled * (input.draws + 1) + 1e-9) - 1
    return others.some((other) => {
      const test = pairTest(field, other, row)
      const { difference, error } = studentized(sample, totals[other], totals[row])
      if (difference <= ROUNDING) return false
      // Differences that are all equal tell apart without a test.
      if (test.kind === 'none') return error <= ROUNDING
      if (test.kind === 'exact') return test.p / 2 <= share
      if (test.kind === 'student') {
        const jackknife = jackknifed(field, other, row)
        return studentTail(jackknife.difference / jackknife.error, jackknife.df) <= share
      }
      return allowed >= 0 && difference / error > highest[input.draws - 1 - allowed]
    })
  }
  return ranked.filter((_, at) => !isApart(rows[at], at)).map(({ name }) => name)
}
