import type { GradedRanking } from './define.ts'
import { costs, FULL_BUDGET } from './token-budget.ts'
import { createViewer } from './view.ts'

/**
 * Mean recall against a budget of tokens, exactly: a step at every budget at which some query's gold comes to fit,
 *
 *     R(b) = 1/n * sum over queries of |{relevant with cost <= b}| / |relevant|
 *
 * so that R(1000) is the mean of recall@1000tok. Whole tokens make the steps whole numbers.
 */
interface RecallCurve {
  /** Budgets at which the curve rises, ascending. */
  readonly tokens: Int32Array
  /** Its height from there on, 0 to 1. */
  readonly recall: Float64Array
}

interface RecallCurveBuilder {
  /** Counts a query; null for one on which nothing was retrieved. */
  add(judged: GradedRanking | null, evidence: 'beside' | 'first'): void
  curve(): RecallCurve
}

/** Sums in the order of `add`: the same queries in the same order give the same bits. */
export function createRecallCurve(): RecallCurveBuilder {
  const rises = new Float64Array(FULL_BUDGET + 1)
  const viewer = createViewer()
  let queries = 0
  return {
    add(judged, evidence) {
      queries++
      if (!judged) return
      const view = viewer.view(judged, 1)
      for (const cost of costs(view, evidence)) if (cost <= FULL_BUDGET) rises[cost] += 1 / view.relevant
    },
    curve() {
      const tokens: number[] = []
      const recall: number[] = []
      let sum = 0
      rises.forEach((rise, budget) => {
        if (rise === 0) return
        sum += rise
        tokens.push(budget)
        recall.push(sum / queries)
      })
      return { tokens: Int32Array.from(tokens), recall: Float64Array.from(recall) }
    },
  }
}
