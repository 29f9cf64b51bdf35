import { defineMetric, REL } from './define.ts'

/**
 * context_precision@k = mean of precision@r over the ranks r within k that hold a relevant one; 0 where none does. It
 * says whether the relevant stand above the others, not whether all were found (RAGAS' measure, with gold as judge).
 */
export const contextPrecision = defineMetric({
  name: 'context_precision',
  summary: 'mean precision at the relevant ones among the first k',
  cutoff: 'required',
  cutoffIn: 'ranks',
  args: { rel: REL },
  needs: 'labels',
  mean: 'arithmetic',
  bounded: true,
  better: 'higher',
  score({ members, memberCount }, { k }) {
    let found = 0
    let sum = 0
    for (; found < memberCount && members[found] <= k; found++) sum += (found + 1) / members[found]
    return found === 0 ? 0 : sum / found
  },
})
