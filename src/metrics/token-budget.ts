import type { View } from './define.ts'

/**
 * Recall within a token budget: a label is found if the tokens up to and including its first chunk are within it. With
 * `evidence=first` the evidence comes before the first chunk.
 */

/** For each relevant label (or OR-group: its cheapest member) that was retrieved: tokens up to and including it. */
export function costs({ judged, rel }: View, evidence: number | string): number[] {
  const { grades, groups, tokens } = judged
  if (!tokens) throw new Error('a token budget needs the tokens of the ranking')
  const before = evidence === 'first' ? (judged.evidenceTokens ?? 0) : 0
  const cheapest = new Map<number, number>()
  for (let label = 0; label < grades.length; label++) {
    if (grades[label] < rel || tokens[label] === Number.POSITIVE_INFINITY) continue
    const group = groups ? groups[label] : label
    cheapest.set(group, Math.min(cheapest.get(group) ?? Number.POSITIVE_INFINITY, tokens[label] + before))
  }
  return [...cheapest.values()]
}

/** Number of relevant labels (or groups) that fit in the budget. */
export function chunksWithinBudget(view: View, budget: number, evidence: number | string): number {
  let fit = 0
  for (const cost of costs(view, evidence)) if (cost <= budget) fit++
  return fit
}

export const FULL_BUDGET = 4000

export const EVIDENCE = {
  summary: 'evidence: in addition to the budget, or paid from it first',
  default: 'beside',
  choices: ['beside', 'first'],
} as const
