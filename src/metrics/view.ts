import type { GradedRanking, View } from './define.ts'

interface Viewer {
  view(judged: GradedRanking, rel: number): View
}

interface Gold {
  readonly groups: Int32Array | undefined
  readonly relevant: number
  readonly nonrelevant: number
  readonly ideal: Int32Array
}

export function viewWithin(ranks: Int32Array, k: number): number {
  let count = 0
  while (count < ranks.length && ranks[count] <= k) count++
  return count
}

/** Creates a viewer, whose views are valid until the next. What depends on the gold alone is kept by the identity of `grades`. */
export function createViewer(): Viewer {
  const golds = new WeakMap<Int32Array, Map<number, Gold>>()
  let order = new Int32Array(64)
  let ranks = new Int32Array(64)
  let grades = new Int32Array(64)
  let foundRanks = new Int32Array(64)
  let members = new Int32Array(64)

  function goldOf({ grades: all, groups }: GradedRanking, rel: number): Gold {
    const byRel = golds.get(all) ?? new Map<number, Gold>()
    golds.set(all, byRel)
    let gold = byRel.get(rel)
    if (gold?.groups !== groups || !gold) {
      gold = { groups, ...describeGold(groups ? bestOfGroups(all, groups) : all, rel) }
      byRel.set(rel, gold)
    }
    return gold
  }

  /** Fills `order` with the retrieved judged labels in rank order; returns how many. */
  function sortRetrieved({ grades: all, ranks: at }: GradedRanking): number {
    if (order.length < all.length) {
      order = new Int32Array(2 * all.length)
      ranks = new Int32Array(2 * all.length)
      grades = new Int32Array(2 * all.length)
      foundRanks = new Int32Array(2 * all.length)
      members = new Int32Array(2 * all.length)
    }
    let count = 0
    let sorted = true
    for (let label = 0; label < all.length; label++) {
      if (at[label] === 0 || all[label] < 0) continue
      sorted &&= count === 0 || at[order[count - 1]] < at[label]
      order[count++] = label
    }
    if (sorted) return count
    if (count <= 24) {
      for (let end = 1; end < count; end++) {
        const label = order[end]
        let index = end
        while (index > 0 && at[order[index - 1]] > at[label]) order[index] = order[--index]
        order[index] = label
      }
    } else order.subarray(0, count).sort((a, b) => at[a] - at[b])
    return count
  }

  function view(judged: GradedRanking, rel: number): View {
    const sorted = sortRetrieved(judged)
    const { groups, retrieved } = judged
    const met = groups ? new Set<number>() : null
    let count = 0
    let foundCount = 0
    let memberCount = 0
    for (let index = 0; index < sorted; index++) {
      const label = order[index]
      const grade = judged.grades[label]
      const rank = judged.ranks[label]
      if (grade >= rel) members[memberCount++] = rank
      if (met && groups && grade >= rel) {
        if (met.has(groups[label])) continue
        met.add(groups[label])
        foundRanks[foundCount++] = rank
      }
      ranks[count] = rank
      grades[count++] = grade
    }
    const { relevant, nonrelevant, ideal } = goldOf(judged, rel)
    const all = members.subarray(0, memberCount)
    return {
      judged,
      rel,
      relevant,
      nonrelevant,
      ideal,
      retrieved,
      ranks: ranks.subarray(0, count),
      grades: grades.subarray(0, count),
      found: groups ? foundRanks.subarray(0, foundCount) : all,
      members: all,
    }
  }

  return { view }
}

function describeGold(grades: Int32Array, rel: number): Omit<Gold, 'groups'> {
  let relevant = 0
  let nonrelevant = 0
  for (const grade of grades) {
    if (grade >= rel) relevant++
    else if (grade >= 0) nonrelevant++
  }
  const ideal = grades
    .filter((grade) => grade > 0)
    .sort()
    .reverse()
  return { relevant, nonrelevant, ideal }
}

function bestOfGroups(grades: Int32Array, groups: Int32Array): Int32Array {
  const best = new Map<number, number>()
  grades.forEach((grade, label) => {
    best.set(groups[label], Math.max(best.get(groups[label]) ?? Number.NEGATIVE_INFINITY, grade))
  })
  return Int32Array.from(best.values())
}

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
