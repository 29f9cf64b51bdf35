import { defineMetric, REL } from './define.ts'
import { relevantWithin } from './found.ts'

/** set_recall = relevant retrieved / relevant. */
export const setRecall = defineMetric({
  name: 'set_recall',
  summary: 'share of the relevant that were retrieved at all',
  cutoff: 'none',
  cutoffIn: 'ranks',
  args: { rel: REL },
  needs: 'labels',
  mean: 'arithmetic',
  bounded: true,
  better: 'higher',
  score: (view) => (view.relevant === 0 ? 0 : relevantWithin(view, Number.POSITIVE_INFINITY) / view.relevant),
})
