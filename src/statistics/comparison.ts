export type Verdict = 'better' | 'worse' | 'equivalent' | 'cannot tell'

/** Two rows compared by their macro means (strata.ts) over the queries that count for all: plain means of one stratum. */
export interface Comparison {
  readonly name: string
  readonly baseline: string
  readonly n: number
  /** Clusters of these queries, if clusters were sampled. */
  readonly clusters?: number
  /** Mean of name minus baseline in each stratum, over its n queries; `difference` is the mean of these. */
  readonly strata: readonly { readonly n: number; readonly difference: number }[]
  readonly difference: number
  /** Limits of the simultaneous interval; null without an interval. Wins and losses then say more. */
  readonly low: number | null
  readonly high: number | null
  /** Two-sided p, with the choice among candidates corrected; `adjusted` also for the family. Null without a test. */
  readonly p: number | null
  readonly adjusted: number | null
  /** Bootstrap t, an exact test of few differences, or Student's t over few clusters; absent if the rows were not tested. */
  readonly test?: 'bootstrap' | 'exact' | 'student'
  /** Reason for having no test. */
  readonly untested?: string
  /** Queries on which the name is better, equal, worse. */
  readonly wins: number
  readonly ties: number
  readonly losses: number
  /** Cohen's d of the paired differences; 0 if they do not vary. */
  readonly effect: number
  /** The smallest true difference that is found 80 % of the time in this family; null without an interval. */
  readonly detectable: number | null
  readonly verdict: Verdict
}
