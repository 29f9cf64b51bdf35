import { defineMetric } from './define.ts'
import { discount } from './log2.ts'

/**
 * ndcg@k = DCG@k / DCG@k of the ideal ranking over all judged, with linear gain (the grade) and divisor log2(rank + 1)
 * (Järvelin and Kekäläinen, TOIS 20, 2002; trec_eval's ndcg_cut). A relevance threshold does not change gains.
 */
export const ndcg = defineMetric({
  name: 'ndcg',
  summary: 'discounted gain over that of the ideal ranking; linear gain',
  cutoff: 'optional',
  cutoffIn: 'ranks',
  args: {},
  needs: 'labels',
  mean: 'arithmetic',
  bounded: true,
  better: 'higher',
  score({ ranks, grades, count, ideal }, { k }) {
    let best = 0
    const depth = Math.min(k, ideal.length)
    for (let place = 0; place < depth; place++) best += ideal[place] / discount(place + 1)
    if (best === 0) return 0
    let gained = 0
    for (let place = 0; place < count && ranks[place] <= k; place++)
      if (grades[place] > 0) gained += grades[place] / discount(ranks[place])
    return gained / best
  },
})
