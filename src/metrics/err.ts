import { defineMetric } from './define.ts'

/**
 * err@k = sum over ranks r of R(r) / r * product over s < r of (1 - R(s)), with R = (2^grade - 1) / 2^max
 * (Chapelle et al., CIKM 2009; max 4 as TREC's gdeval, which ir_measures calls).
 */
export const err = defineMetric({
  name: 'err',
  summary: 'expected reciprocal rank of the place where a reader stops, by grades',
  cutoff: 'optional',
  cutoffIn: 'ranks',
  args: { max: { summary: 'the highest grade of the scale', default: 4, min: 1, max: 30, integer: true } },
  needs: 'labels',
  mean: 'arithmetic',
  bounded: true,
  better: 'higher',
  score({ ranks, grades, count }, { k, args }) {
    const scale = 2 ** Number(args.max)
    let reads = 1
    let sum = 0
    for (let place = 0; place < count && ranks[place] <= k; place++) {
      const stops = Math.min(2 ** grades[place] - 1, scale) / scale
      sum += (stops * reads) / ranks[place]
      reads *= 1 - stops
    }
    return sum
  },
})
