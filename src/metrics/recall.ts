import { defineMetric, REL } from './define.ts'
import { relevantWithin } from './found.ts'
import { EVIDENCE, withinBudget } from './tokens.ts'

/** recall@k = relevant among the first k / all relevant (not min(k, relevant)), as trec_eval's. */
export const recall = defineMetric({
  name: 'recall',
  summary: 'share of the relevant that are among the first k, or within a token budget',
  cutoff: 'required',
  cutoffIn: 'ranks or tokens',
  args: { rel: REL, evidence: EVIDENCE },
  needs: 'labels',
  mean: 'arithmetic',
  bounded: true,
  better: 'higher',
  score(view, { k, budget, args }) {
    if (view.relevant === 0) return 0
    const found = budget === null ? relevantWithin(view, k) : withinBudget(view, budget, args.evidence)
    return found / view.relevant
  },
})
