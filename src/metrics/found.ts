import type { View } from './define.ts'

/** Relevant labels (or OR-groups) among the first k. */
export function relevantWithin({ ranks, grades, count, rel }: View, k: number): number {
  let found = 0
  for (let place = 0; place < count && ranks[place] <= k; place++) if (grades[place] >= rel) found++
  return found
}
