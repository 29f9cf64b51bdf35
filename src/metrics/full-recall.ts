import { defineMetric, REL } from './define.ts'
import { relevantWithin } from './found.ts'
import { EVIDENCE, withinBudget } from './tokens.ts'

/** full_recall@k = 1 if every relevant one is among the first k: what a question of several hops needs. */
export const fullRecall = defineMetric({
  name: 'full_recall',
  summary: 'whether every relevant one is among the first k, or within a token budget',
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
    return found === view.relevant ? 1 : 0
  },
})
