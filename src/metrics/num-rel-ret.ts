import { defineMetric, REL } from './define.ts'
import { relevantWithin } from './found.ts'

/** num_rel_ret = relevant ones retrieved, summed over queries. */
export const numRelRet = defineMetric({
  name: 'num_rel_ret',
  summary: 'number relevant and retrieved, summed over queries',
  cutoff: 'none',
  cutoffIn: 'ranks',
  args: { rel: REL },
  needs: 'labels',
  mean: 'sum',
  bounded: false,
  better: 'higher',
  score: (view) => relevantWithin(view, Number.POSITIVE_INFINITY),
})
