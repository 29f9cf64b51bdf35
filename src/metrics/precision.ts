import { defineMetric, REL } from './define.ts'

/** precision@k = relevant among the first k / k, however many were retrieved. Every member of an OR-group counts. */
export const precision = defineMetric({
  name: 'precision',
  aliases: ['p'],
  summary: 'share of the first k that are relevant, divided by k always',
  cutoff: 'required',
  cutoffIn: 'ranks',
  args: { rel: REL },
  needs: 'labels',
  mean: 'arithmetic',
  bounded: true,
  better: 'higher',
  score({ members, memberCount }, { k }) {
    let found = 0
    while (found < memberCount && members[found] <= k) found++
    return found / k
  },
})
