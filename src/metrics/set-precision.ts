import { defineMetric, REL } from './define.ts'

/** set_precision = relevant retrieved / retrieved; trec_eval's set_P. */
export const setPrecision = defineMetric({
  name: 'set_precision',
  aliases: ['set_p'],
  summary: 'share of everything retrieved that is relevant',
  cutoff: 'none',
  cutoffIn: 'ranks',
  args: { rel: REL },
  needs: 'labels',
  mean: 'arithmetic',
  bounded: true,
  better: 'higher',
  score: ({ memberCount, retrieved }) => (retrieved === 0 ? 0 : memberCount / retrieved),
})
