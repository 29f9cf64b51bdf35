import { defineMetric } from './define.ts'

/**
 * judged@k = judged among the first k / min(k, retrieved), as ir_measures; 1 - hole@k where k were retrieved. The
 * unjudged count as not relevant everywhere, so a low value says that other measures are floors.
 */
export const judged = defineMetric({
  name: 'judged',
  summary: 'share of the first k that were judged at all',
  cutoff: 'required',
  cutoffIn: 'ranks',
  args: {},
  needs: 'labels',
  mean: 'arithmetic',
  bounded: true,
  better: 'higher',
  score({ judged: { grades, ranks }, retrieved }, { k }) {
    let found = 0
    for (let label = 0; label < grades.length; label++)
      if (ranks[label] > 0 && ranks[label] <= k && grades[label] >= 0) found++
    return retrieved === 0 ? 0 : found / Math.min(k, retrieved)
  },
})
