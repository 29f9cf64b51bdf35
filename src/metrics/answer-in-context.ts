import { defineMetric } from './define.ts'

/**
 * answer_in_context@k = 1 if the text of any of the first k contains an answer of the query. Queries without an answer
 * that a text could contain (yes and no are none) do not count.
 */
export const answerInContext = defineMetric({
  name: 'answer_in_context',
  summary: 'whether any of the first k texts contains an answer',
  cutoff: 'required',
  cutoffIn: 'ranks',
  args: {},
  needs: 'contains',
  mean: 'arithmetic',
  bounded: true,
  better: 'higher',
  score({ judged: { contains } }, { k }) {
    if (!contains) return Number.NaN
    return contains.subarray(0, k).includes(1) ? 1 : 0
  },
})
