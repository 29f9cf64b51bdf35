import { defineMetric, REL } from './define.ts'
import { relevantWithin } from './found.ts'

/** rprec = relevant among the first R / R, where R is the number of relevant ones. */
export const rprec = defineMetric({
  name: 'rprec',
  summary: 'precision after as many as there are relevant ones',
  cutoff: 'none',
  cutoffIn: 'ranks',
  args: { rel: REL },
  needs: 'labels',
  mean: 'arithmetic',
  bounded: true,
  better: 'higher',
  score: (view) => (view.relevant === 0 ? 0 : relevantWithin(view, view.relevant) / view.relevant),
})
