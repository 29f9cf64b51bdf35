import type { TrialSummary } from './summary.ts'

/** Returns the position of a stage in the funnels of several trials; `found` is last. */
export function stageOrder(trials: readonly Pick<TrialSummary, 'funnel'>[]): (stage: string) => number {
  const indexes = new Map<string, number>()
  for (const { funnel } of trials)
    for (const [index, { stage }] of funnel.entries())
      indexes.set(stage, Math.max(indexes.get(stage) ?? 0, index / funnel.length))
  return (stage) => indexes.get(stage) ?? Number.NaN
}
