import { defineMetric, REL } from './define.ts'
import { costs, EVIDENCE } from './tokens.ts'

/**
 * Area under the recall-token curve from 0 to a budget B, divided by B: with t the tokens up to and including a label,
 *
 *     recall_area = sum over relevant of max(0, B - t) / (B * relevant)
 */
export const recallArea = defineMetric({
  name: 'recall_area',
  summary: 'area under the recall-token curve up to a budget (4,000 tokens by default), normalised to 1',
  cutoff: 'optional',
  cutoffIn: 'tokens',
  args: { rel: REL, evidence: EVIDENCE },
  needs: 'tokens',
  mean: 'arithmetic',
  bounded: true,
  better: 'higher',
  score(view, { budget, args }) {
    if (view.relevant === 0) return 0
    const whole = budget ?? 4000
    let area = 0
    for (const cost of costs(view, args.evidence)) area += Math.max(0, whole - cost)
    return area / (whole * view.relevant)
  },
})
