/**
 * Adjusted p-values over a family: `max-t` by resampling it whole (max-t.ts). The others read single p-values: Holm's and Bonferroni's hold the chance of any false finding below the level,
 * Benjamini and Hochberg's (independent or positively dependent tests) and Benjamini and Yekutieli's (any) the share of
 * false ones among the findings.
 */
export const CORRECTIONS = [
  'max-t',
  'holm',
  'bonferroni',
  'benjamini-hochberg',
  'benjamini-yekutieli',
  'none',
] as const
export type Correction = (typeof CORRECTIONS)[number]

/** Adjusts p-values; results are in the order of the input and at most 1. */
export function adjust(ps: readonly number[], correction: Exclude<Correction, 'max-t'>): number[] {
  const m = ps.length
  if (correction === 'none') return [...ps]
  if (correction === 'bonferroni') return ps.map((p) => Math.min(1, p * m))
  if (correction === 'holm') return stepDown(ps)
  let harmonic = 1
  if (correction === 'benjamini-yekutieli') for (let i = 2; i <= m; i++) harmonic += 1 / i
  return stepUp(ps, harmonic)
}

function ascending(ps: readonly number[]): number[] {
  return ps.map((_, index) => index).sort((a, b) => ps[a] - ps[b])
}

/** Holm: the i-th smallest (from 0) times m - i, never below the one before. */
function stepDown(ps: readonly number[]): number[] {
  const adjusted = new Array<number>(ps.length)
  let highest = 0
  ascending(ps).forEach((index, i) => {
    highest = Math.max(highest, Math.min(1, ps[index] * (ps.length - i)))
    adjusted[index] = highest
  })
  return adjusted
}

/** The i-th smallest (from 1) times m / i, never above the one after. */
function stepUp(ps: readonly number[], factor: number): number[] {
  const m = ps.length
  const adjusted = new Array<number>(m)
  let lowest = 1
  ascending(ps)
    .reverse()
    .forEach((index, i) => {
      lowest = Math.min(lowest, (ps[index] * m * factor) / (m - i))
      adjusted[index] = lowest
    })
  return adjusted
}
