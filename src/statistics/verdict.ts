export type Verdict = 'better' | 'worse' | 'equivalent' | 'cannot tell'

export interface Evidence {
  /** Queries. */
  readonly n: number
  /** Mean difference, above 0 where good. */
  readonly difference: number
  /** p over the family. */
  readonly adjusted: number
  /** p of the claim of equivalence, where asked. */
  readonly equivalence: number | null
  readonly level: number
}

/** The fewest queries that a verdict is given on. Fewer stand for too little, however small p is. */
export const FEWEST_QUERIES = 15

/** A comparison in words. A difference that is significant and yet within the margin is called by its direction. */
export function verdictOf({ n, difference, adjusted, equivalence, level }: Evidence): Verdict {
  if (n < FEWEST_QUERIES) return 'cannot tell'
  if (adjusted <= level && difference > 0) return 'better'
  if (adjusted <= level && difference < 0) return 'worse'
  return equivalence !== null && equivalence <= level ? 'equivalent' : 'cannot tell'
}
