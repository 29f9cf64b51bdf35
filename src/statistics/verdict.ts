export type Verdict = 'better' | 'worse' | 'equivalent' | 'cannot tell'

interface VerdictEvidence {
  /** Queries. */
  readonly n: number
  /** Mean difference, above 0 where good. */
  readonly difference: number
  /** p over the family. */
  readonly adjusted: number
  /** True if the whole interval is within the config's margin. */
  readonly equivalent: boolean
  readonly level: number
}

/** The fewest queries that a verdict is given on. Fewer are not representative, however small p is. */
export const FEWEST_QUERIES = 15

/** A comparison in words. A difference that is significant and yet within the margin is called by its direction. */
export function verdictOf({ n, difference, adjusted, equivalent, level }: VerdictEvidence): Verdict {
  if (n < FEWEST_QUERIES) return 'cannot tell'
  if (adjusted <= level && difference > 0) return 'better'
  if (adjusted <= level && difference < 0) return 'worse'
  return equivalent ? 'equivalent' : 'cannot tell'
}
