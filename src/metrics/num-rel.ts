import { defineMetric, REL } from './define.ts'

/** num_rel = relevant ones (or OR-groups), summed over queries. */
export const numRel = defineMetric({
  name: 'num_rel',
  summary: 'number relevant, summed over queries',
  cutoff: 'none',
  cutoffIn: 'ranks',
  args: { rel: REL },
  needs: 'labels',
  mean: 'sum',
  bounded: false,
  better: 'higher',
  score: ({ relevant }) => relevant,
})
