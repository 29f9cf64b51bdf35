import { defineMetric, REL } from './define.ts'

/**
 * bpref = 1/R * sum over relevant retrieved of 1 - min(n, R) / min(N, R), where n of the N judged non-relevant ones
 * stand above it (Buckley and Voorhees, SIGIR 2004). Unjudged ones are passed over.
 */
export const bpref = defineMetric({
  name: 'bpref',
  summary: 'how often judged non-relevant ones stand above relevant ones; the unjudged do not count',
  cutoff: 'none',
  cutoffIn: 'ranks',
  args: { rel: REL },
  needs: 'labels',
  mean: 'arithmetic',
  bounded: true,
  better: 'higher',
  score({ grades, count, rel, relevant, nonrelevant }) {
    let above = 0
    let sum = 0
    for (let place = 0; place < count; place++) {
      if (grades[place] < rel) above++
      else sum += above === 0 ? 1 : 1 - Math.min(above, relevant) / Math.min(nonrelevant, relevant)
    }
    return relevant === 0 ? 0 : sum / relevant
  },
})
