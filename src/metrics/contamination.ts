import { defineMetric } from './define.ts'

/** contamination@k = share of the first k that come from a wrong source; queries without a known source do not count. */
export const contamination = defineMetric({
  name: 'contamination',
  summary: 'share of the first k that come from a wrong source; low is good',
  cutoff: 'required',
  cutoffIn: 'ranks',
  args: {},
  needs: 'foreign',
  mean: 'arithmetic',
  bounded: true,
  better: 'lower',
  score({ judged: { foreign } }, { k }) {
    if (!foreign) return Number.NaN
    const depth = Math.min(k, foreign.length)
    let wrong = 0
    for (let place = 0; place < depth; place++) wrong += foreign[place]
    return depth === 0 ? 0 : wrong / depth
  },
})
