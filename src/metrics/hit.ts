import { defineMetric, REL } from './define.ts'
import { relevantWithin } from './found.ts'

/** hit@k = 1 if any relevant one is among the first k; trec_eval calls it success. */
export const hit = defineMetric({
  name: 'hit',
  aliases: ['success'],
  summary: 'whether any relevant one is among the first k',
  cutoff: 'required',
  cutoffIn: 'ranks',
  args: { rel: REL },
  needs: 'labels',
  mean: 'arithmetic',
  bounded: true,
  better: 'higher',
  score: (view, { k }) => (relevantWithin(view, k) > 0 ? 1 : 0),
})
