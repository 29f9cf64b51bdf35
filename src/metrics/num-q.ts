import { defineMetric } from './define.ts'

/** num_q = queries that count; the value of one query is 1. */
export const numQ = defineMetric({
  name: 'num_q',
  summary: 'queries that count',
  cutoff: 'none',
  cutoffIn: 'ranks',
  args: {},
  needs: 'labels',
  mean: 'sum',
  bounded: false,
  better: 'higher',
  score: () => 1,
})
