import { defineMetric, type Metric, REL } from './define.ts'

/**
 * iprec@r = highest precision at any rank where recall is at least r. The recall level r means the first
 * round(r * relevant) relevant ones; trec_eval 9 took trunc(r * relevant + 0.9). Where
 * nothing is left of a ranking (-J, and none of it judged), trec_eval divides 0 by 0 and prints nan; here it is 0.
 */
export const iprec = defineMetric({
  name: 'iprec',
  aliases: ['iprec_at_recall'],
  summary: 'interpolated precision at a recall level, as iprec@0.10',
  cutoff: 'required',
  cutoffIn: 'recall',
  args: { rel: REL },
  needs: 'labels',
  mean: 'arithmetic',
  bounded: true,
  better: 'higher',
  score: interpolated((level, relevant) => Math.round(level * relevant)),
})

/** trec_eval 9's. */
export const iprecRaised = interpolated((level, relevant) => Math.trunc(level * relevant + 0.9))

function interpolated(point: (level: number, relevant: number) => number): Metric['score'] {
  return ({ ranks, grades, count, rel, relevant }, { level }) => {
    const needed = point(level ?? 0, relevant)
    let found = 0
    let highest = 0
    for (let place = 0; place < count; place++) {
      if (grades[place] < rel) continue
      found++
      if (found >= needed) highest = Math.max(highest, found / ranks[place])
    }
    return highest
  }
}
