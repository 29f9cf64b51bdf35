import { defineMetric, REL } from './define.ts'

/** rbp = (1 - p) * sum over relevant ranks r of p^(r - 1) (Moffat and Zobel, TOIS 27, 2008); p = 0.8 as in ir_measures. */
export const rbp = defineMetric({
  name: 'rbp',
  summary: 'gain of a reader who goes on to the next rank with probability p',
  cutoff: 'optional',
  cutoffIn: 'ranks',
  args: { p: { summary: 'persistence', default: 0.8, min: 0, max: 1 }, rel: REL },
  needs: 'labels',
  mean: 'arithmetic',
  bounded: true,
  better: 'higher',
  score({ members, memberCount }, { k, args }) {
    const p = Number(args.p)
    let sum = 0
    for (let place = 0; place < memberCount && members[place] <= k; place++) sum += p ** (members[place] - 1)
    return (1 - p) * sum
  },
})
