import type { TrialSummary } from './summary.ts'

/** The place of a stage among those of several trials, whose steps may be others: in the order of their funnels; `found` last. */
export function stageOrder(trials: readonly Pick<TrialSummary, 'funnel'>[]): (stage: string) => number {
  const places = new Map<string, number>()
  for (const { funnel } of trials)
    for (const [place, { stage }] of funnel.entries())
      places.set(stage, Math.max(places.get(stage) ?? 0, place / funnel.length))
  return (stage) => places.get(stage) ?? Number.NaN
}
