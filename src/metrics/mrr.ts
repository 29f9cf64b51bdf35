import { defineMetric, REL } from './define.ts'

/** mrr = 1 / rank of the first relevant one; with a cutoff, 0 where it stands below k. */
export const mrr = defineMetric({
  name: 'mrr',
  aliases: ['recip_rank'],
  summary: 'reciprocal rank of the first relevant one',
  cutoff: 'optional',
  cutoffIn: 'ranks',
  args: { rel: REL },
  needs: 'labels',
  mean: 'arithmetic',
  bounded: true,
  better: 'higher',
  score({ ranks, grades, count, rel }, { k }) {
    for (let place = 0; place < count && ranks[place] <= k; place++)
      if (grades[place] >= rel) return 1 / ranks[place]
    return 0
  },
})
