import type { Judged, View } from './define.ts'

/** Makes views; keeps its columns between calls, so that scoring a query allocates next to nothing. */
export interface Viewer {
  /** The view of `judged` at a threshold; valid until the next call. */
  view(judged: Judged, rel: number): View
}

interface Gold {
  readonly groups: Int32Array | undefined
  readonly relevant: number
  readonly nonrelevant: number
  readonly ideal: Int32Array
}

/** Creates a viewer. What depends on the gold alone is remembered by the identity of `grades`, which all trials share. */
export function createViewer(): Viewer {
  const golds = new WeakMap<Int32Array, Map<number, Gold>>()
  let order = new Int32Array(64)
  let ranks = new Int32Array(64)
  let grades = new Int32Array(64)
  let members = new Int32Array(64)

  function goldOf({ grades: all, groups }: Judged, rel: number): Gold {
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
  function sortRetrieved({ grades: all, ranks: at }: Judged): number {
    if (order.length < all.length) {
      order = new Int32Array(2 * all.length)
      ranks = new Int32Array(2 * all.length)
      grades = new Int32Array(2 * all.length)
      members = new Int32Array(2 * all.length)
    }
    let found = 0
    let sorted = true
    for (let label = 0; label < all.length; label++) {
      if (at[label] === 0 || all[label] < 0) continue
      sorted &&= found === 0 || at[order[found - 1]] < at[label]
      order[found++] = label
    }
    if (sorted) return found
    if (found <= 24) {
      for (let end = 1; end < found; end++) {
        const label = order[end]
        let place = end
        while (place > 0 && at[order[place - 1]] > at[label]) order[place] = order[--place]
        order[place] = label
      }
    } else order.subarray(0, found).sort((a, b) => at[a] - at[b])
    return found
  }

  function view(judged: Judged, rel: number): View {
    const found = sortRetrieved(judged)
    const { groups } = judged
    const met = groups ? new Set<number>() : null
    let count = 0
    let memberCount = 0
    for (let place = 0; place < found; place++) {
      const label = order[place]
      const grade = judged.grades[label]
      const rank = judged.ranks[label]
      if (grade >= rel) members[memberCount++] = rank
      if (met && groups && grade >= rel) {
        if (met.has(groups[label])) continue
        met.add(groups[label])
      }
      ranks[count] = rank
      grades[count++] = grade
    }
    const { relevant, nonrelevant, ideal } = goldOf(judged, rel)
    const { retrieved } = judged
    return {
      judged,
      count,
      ranks,
      grades,
      rel,
      relevant,
      nonrelevant,
      ideal,
      retrieved,
      members,
      memberCount,
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

/** One grade a group: the best of its members'. */
function bestOfGroups(grades: Int32Array, groups: Int32Array): Int32Array {
  const best = new Map<number, number>()
  grades.forEach((grade, label) => {
    best.set(groups[label], Math.max(best.get(groups[label]) ?? Number.NEGATIVE_INFINITY, grade))
  })
  return Int32Array.from(best.values())
}
