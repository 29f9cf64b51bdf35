export type Verdict = 'better' | 'worse' | 'equivalent' | 'cannot tell'
