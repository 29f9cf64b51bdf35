export type Verdict = 'better' | 'worse' | 'equivalent' | 'cannot tell'

export interface Evidence {
  /** Mean difference, above 0 where good. */
  readonly difference: number
  /** p over the family. */
  readonly adjusted: number
  /** p of the claim of equivalence, where asked. */
  readonly equivalence: number | null
  readonly level: number
}

/** A comparison in words. A difference that is significant and yet within the margin is called by its direction. */
export function verdictOf({ difference, adjusted, equivalence, level }: Evidence): Verdict {
  if (adjusted <= level && difference > 0) return 'better'
  if (adjusted <= level && difference < 0) return 'worse'
  return equivalence !== null && equivalence <= level ? 'equivalent' : 'cannot tell'
}
