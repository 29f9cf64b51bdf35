import { defineMetric, REL, type View } from './define.ts'

/** map@k = sum over relevant found within k of (relevant so far / rank), divided by all relevant. */
export const map = defineMetric({
  name: 'map',
  summary: 'mean of the precision at each relevant one, over all relevant',
  cutoff: 'optional',
  cutoffIn: 'ranks',
  args: { rel: REL },
  needs: 'labels',
  mean: 'arithmetic',
  bounded: true,
  better: 'higher',
  score: (view, { k }) => averagePrecision(view, k),
})

/** Summed in rank order, divided once: trec_eval's bits. */
export function averagePrecision({ ranks, grades, count, rel, relevant }: View, k: number): number {
  let found = 0
  let sum = 0
  for (let place = 0; place < count && ranks[place] <= k; place++) {
    if (grades[place] < rel) continue
    found++
    sum += found / ranks[place]
  }
  return found > 0 ? sum / relevant : 0
}
