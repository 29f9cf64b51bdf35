import type { Verdict } from './verdict.ts'

/** Two rows compared by their macro means (strata.ts) over the queries that count for all: plain means of one stratum. */
export interface Comparison {
  readonly name: string
  readonly baseline: string
  /** Queries. */
  readonly n: number
  /** Clusters of these, where they were tested by cluster. */
  readonly clusters?: number
  /** Mean of name minus baseline in each stratum, over its n queries. */
  readonly strata: readonly { readonly n: number; readonly difference: number }[]
  /** The mean of these; all intervals of a family hold together with 1 - level. */
  readonly difference: number
  readonly low: number
  readonly high: number
  /** Paired randomization test, two-sided, in which what was chosen is chosen again; `adjusted` over the family. */
  readonly p: number
  readonly adjusted: number
  /** Queries on which the name is better, equal, worse. */
  readonly wins: number
  readonly ties: number
  readonly losses: number
  /** Cohen's d of the paired differences; 0 where they do not vary. */
  readonly effect: number
  /** The smallest true difference that is found 80 % of the time in this family; null where differences do not vary. */
  readonly detectable: number | null
  readonly verdict: Verdict
}
