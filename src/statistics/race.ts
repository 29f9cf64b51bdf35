import { normalTail } from './distributions.ts'

/**
 * Racing (Maron and Moore, 1994; Birattari et al., 2002): after each round of queries a trial stops that is ruled out as
 * the winner over all of them. It is compared in pairs with the trial that leads. Under the hypothesis that the two may
 * be exchanged on every query, the signs of the differences d are fair coins, and with the normal tail Q
 *
 *     z = sum d / sqrt(sum d^2),    p = Q(z)
 *
 * is the randomization test without draws: the true p is at most c Q(z) for any d, c = 1 / (4 Q(sqrt 2)) = 3.18
 * (Bentkus and Dzindzalieta, 2015), and close to Q(z) where it is small. So it also holds for near-binary values and few
 * queries, where t does not (Efron, 1969): ten wins out of ten are no proof. z is multiplied by sqrt(N / (N - n)) once n of
 * all N queries are seen, the correction for a finite population (Cochran, 1977, 2.6): what is asked for is the winner over
 * these N, of whose sum n terms are known.
 *
 * The true winner is stopped only if another trial passes it in some round, so the level is divided by the rounds that
 * test and by the other trials that still race (Bonferroni, step by step as Holm's).
 */
export interface Heat {
  /** The primary measure of the trials that still race, by query seen; NaN where a query does not count. */
  readonly values: readonly ArrayLike<number>[]
  readonly better: 'higher' | 'lower'
  /** Share of all queries that are seen, 0 to 1. */
  readonly seen: number
  /** The level of each single test. */
  readonly level: number
}

/** For each trial whether it is ruled out, and by which: the place of the first one with the best mean. */
export function ruledOut({ values, better, seen, level }: Heat): { leader: number; out: boolean[] } {
  const sign = better === 'higher' ? 1 : -1
  const sums = values.map((own) => sign * sumOf(own))
  const leader = sums.indexOf(Math.max(...sums))
  const scale = Math.sqrt(1 / (1 - seen))
  const out = values.map(
    (own, index) => index !== leader && exchangeTail(values[leader], own, sign, scale) < level,
  )
  return { leader, out }
}

/** The share of `level` that each test of a round has. */
export function levelOfTest(level: number, rounds: number, racing: number): number {
  return level / (Math.max(1, rounds) * Math.max(1, racing - 1))
}

/** How likely fair signs put `a` as far before `b` on these queries as it is; 1 where it is not before it. */
function exchangeTail(a: ArrayLike<number>, b: ArrayLike<number>, sign: number, scale: number): number {
  let sum = 0
  let squares = 0
  for (let query = 0; query < a.length; query++) {
    const difference = sign * (a[query] - b[query])
    if (Number.isNaN(difference)) continue
    sum += difference
    squares += difference * difference
  }
  return sum > 0 ? normalTail((sum / Math.sqrt(squares)) * scale) : 1
}

function sumOf(values: ArrayLike<number>): number {
  let sum = 0
  for (let query = 0; query < values.length; query++) if (!Number.isNaN(values[query])) sum += values[query]
  return sum
}
