import { defineMetric } from './define.ts'

/**
 * contamination@k = share of the first k whose metadata field (`source`, or another by `contamination(field=book)@k`)
 * differs from the query's; queries without that field do not count.
 */
export const contamination = defineMetric({
  name: 'contamination',
  summary: 'share of the first k that come from a wrong source; low is good',
  cutoff: 'required',
  cutoffIn: 'ranks',
  args: { field: { summary: 'the metadata field that names the source', default: 'source', free: true } },
  needs: 'foreign',
  mean: 'arithmetic',
  bounded: true,
  better: 'lower',
  score({ judged }, { k, args }) {
    const foreign = judged.foreign?.[String(args.field)]
    if (!foreign) return Number.NaN
    const depth = Math.min(k, foreign.length)
    let wrong = 0
    for (let place = 0; place < depth; place++) wrong += foreign[place]
    return depth === 0 ? 0 : wrong / depth
  },
})
