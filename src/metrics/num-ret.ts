import { defineMetric } from './define.ts'

/** num_ret = retrieved judged units, summed over queries. */
export const numRet = defineMetric({
  name: 'num_ret',
  summary: 'number retrieved, summed over queries',
  cutoff: 'none',
  cutoffIn: 'ranks',
  args: {},
  needs: 'labels',
  mean: 'sum',
  bounded: false,
  better: 'higher',
  score: ({ retrieved }) => retrieved,
})
