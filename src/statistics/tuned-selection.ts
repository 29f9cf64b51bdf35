import { type Flips, flippedSums } from './flips.ts'
import { BLOCK, type Reach } from './selection.ts'

/**
 * Null distribution of comparisons whose rows are tuned in folds (tuned.ts). The choice of a fold reads the queries of all
 * others, so the queries of a tuned row are not independent of one another, and a test that takes the row as given finds too
 * much. So every draw flips the values of all trials about their own means (a wild bootstrap: Wu, Annals of Statistics 14, 1986), by
 * which all are equal, has each fold choose again on the other folds, and compares the rows that come of it:
 *
 *     M* = | sum of e_q D_q | / sqrt(sum of D_q^2),   D the differences of the trials chosen in this draw
 */
interface TunedContests {
  /** Weighted values by [row][trial][query]; weights are those of the macro mean (strata.ts). */
  readonly rows: readonly (readonly Float64Array[])[]
  /** Pairs of rows; of a signed one M is not |.|, but as it falls. */
  readonly contests: readonly { readonly a: number; readonly b: number; readonly signed?: boolean }[]
  /** Each query's stratum and its fold in it. */
  readonly strata: readonly number[]
  readonly folds: readonly number[]
}

/** Queries of one fold of one stratum. */
interface Part {
  readonly stratum: number
  readonly queries: readonly number[]
  /** Index of the part's first flip bit. */
  readonly bit: number
}

/** So that a part's flips begin with a byte: the parts, and how many bits all take. */
export function layOut({ strata, folds }: Pick<TunedContests, 'strata' | 'folds'>): {
  parts: Part[]
  width: number
} {
  const byKey = new Map<string, { stratum: number; queries: number[] }>()
  folds.forEach((fold, query) => {
    const key = `${strata[query]} ${fold}`
    const part = byKey.get(key) ?? { stratum: strata[query], queries: [] }
    part.queries.push(query)
    byKey.set(key, part)
  })
  let width = 0
  const parts = [...byKey.values()].map((part) => {
    const bit = width
    width += 8 * Math.ceil(part.queries.length / 8)
    return { ...part, bit }
  })
  return { parts, width }
}

export function reachOfTuned(
  { rows, contests, strata }: TunedContests,
  parts: readonly Part[],
  flips: Flips,
): Reach {
  const centred = rows.map((trials) => trials.map((trial) => centre(trial, strata)))
  /** Centred values by [row][trial][part]. */
  const values = centred.map((trials) =>
    trials.map((trial) => parts.map(({ queries }) => Float64Array.from(queries, (query) => trial[query]))),
  )
  const sums = values.map((trials) => trials.map((trial) => trial.map(() => new Float64Array(BLOCK))))
  /** Chosen trials of the draws by [row][part]; `sums` are the rows' sums. */
  const chosen = rows.map(() => parts.map(() => new Int32Array(BLOCK)))
  const totals = rows.map(() => new Float64Array(BLOCK))
  const strataParts = [...new Set(strata)].map((stratum) =>
    parts.flatMap((part, index) => (part.stratum === stratum ? [index] : [])),
  )
  /** Sums of squares by contest, part and pair of trials, once they were needed. */
  const squares = contests.map(({ a, b }) =>
    parts.map(() => new Float64Array(rows[a].length * rows[b].length).fill(-1)),
  )
  const reached = contests.map(() => new Float64Array(BLOCK))
  const others = new Float64Array(BLOCK)
  const best = new Float64Array(BLOCK)

  function choose(row: number, part: number, group: readonly number[], draws: number): void {
    best.fill(Number.NEGATIVE_INFINITY)
    const picked = chosen[row][part]
    for (const [trial, trialSums] of sums[row].entries()) {
      others.fill(0)
      for (const other of group)
        if (other !== part) for (let draw = 0; draw < draws; draw++) others[draw] += trialSums[other][draw]
      for (let draw = 0; draw < draws; draw++)
        if (others[draw] > best[draw]) {
          best[draw] = others[draw]
          picked[draw] = trial
        }
    }
    for (let draw = 0; draw < draws; draw++) totals[row][draw] += sums[row][picked[draw]][part][draw]
  }

  function squaresOf(contest: number, part: number, one: number, other: number): number {
    const { a, b } = contests[contest]
    const known = squares[contest][part]
    const at = one * rows[b].length + other
    if (known[at] < 0) {
      let sum = 0
      const [left, right] = [values[a][one][part], values[b][other][part]]
      for (let query = 0; query < left.length; query++) sum += (left[query] - right[query]) ** 2
      known[at] = sum
    }
    return known[at]
  }

  return (begin, end) => {
    const draws = end - begin
    for (const [row, trials] of values.entries()) {
      for (const [trial, trialValues] of trials.entries())
        for (const [part, { bit }] of parts.entries())
          flippedSums(trialValues[part], flips, begin, end, sums[row][trial][part], bit)
      totals[row].fill(0)
      for (const group of strataParts) for (const part of group) choose(row, part, group, draws)
    }
    for (const [contest, { a, b, signed }] of contests.entries())
      for (let draw = 0; draw < draws; draw++) {
        let sum = 0
        for (let part = 0; part < parts.length; part++)
          sum += squaresOf(contest, part, chosen[a][part][draw], chosen[b][part][draw])
        const value = sum > 0 ? (totals[a][draw] - totals[b][draw]) / Math.sqrt(sum) : 0
        reached[contest][draw] = signed ? value : Math.abs(value)
      }
    return reached
  }
}

/** Each stratum's values less their mean. */
export function centre(values: Float64Array, strata: readonly number[]): Float64Array {
  const sums: number[] = []
  const counts: number[] = []
  strata.forEach((stratum, query) => {
    sums[stratum] = (sums[stratum] ?? 0) + values[query]
    counts[stratum] = (counts[stratum] ?? 0) + 1
  })
  return values.map((value, query) => value - sums[strata[query]] / counts[strata[query]])
}
