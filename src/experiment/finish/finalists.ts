import { MAX_FINALISTS } from '../plan/plan.ts'

export interface FinalistCandidate {
  readonly id: string
  readonly strategy: string
  /** Mean of the primary measure. */
  readonly quality: number
  /** Mean tokens per query of the context: first chunks plus evidence. */
  readonly tokens: number
}

/**
 * Trials whose rankings are kept: the baseline, the best of each strategy, then the Pareto front of quality and tokens, then
 * the best of the rest; at most 20. Returns indexes in `candidates`, ascending; ties go to the earlier trial.
 */
export function chooseFinalists(candidates: readonly FinalistCandidate[], baseline: string): number[] {
  const byQuality = candidates
    .map((_, index) => index)
    .sort((a, b) => candidates[b].quality - candidates[a].quality || a - b)
  const bestOf = new Map<string, number>()
  for (const index of byQuality) {
    const { strategy } = candidates[index]
    if (!bestOf.has(strategy)) bestOf.set(strategy, index)
  }
  const front = byQuality.filter((index, rank) =>
    byQuality.slice(0, rank).every((better) => candidates[better].tokens > candidates[index].tokens),
  )
  const wanted = [
    candidates.findIndex(({ id }) => id === baseline),
    ...bestOf.values(),
    ...front,
    ...byQuality,
  ]
  return [...new Set(wanted.filter((index) => index >= 0))].slice(0, MAX_FINALISTS).sort((a, b) => a - b)
}
