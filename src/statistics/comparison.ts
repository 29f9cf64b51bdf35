import type { Verdict } from './verdict.ts'

/** Two rows compared by their macro means (strata.ts) over the queries that count for all: plain means of one stratum. */
export interface Comparison {
  readonly name: string
  readonly baseline: string
  /** Queries. */
  readonly n: number
  /** Mean of name minus baseline in each stratum, over its n queries. */
  readonly strata: readonly { readonly n: number; readonly difference: number }[]
  /** The mean of these, with its paired bootstrap interval. */
  readonly difference: number
  readonly low: number
  readonly high: number
  /** Paired randomization test, two-sided; `adjusted` over the family. */
  readonly p: number
  readonly adjusted: number
  /** Queries on which the name is better, equal, worse. */
  readonly wins: number
  readonly ties: number
  readonly losses: number
  /** Cohen's d of the paired differences; 0 where they do not vary. */
  readonly effect: number
  /** The smallest difference that one test at this level shows 80 % of the time; null where differences do not vary. */
  readonly detectable: number | null
  /** TOST's p, where a margin was given. */
  readonly equivalence: number | null
  readonly verdict: Verdict
}
