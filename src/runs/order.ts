import { compareIds } from '../text/order.ts'
import type { RunEntries } from './types.ts'

/** Places of a ranking's entries, best first: score descending, equal scores by id bytes descending. */
export function bestFirst({ ids, scores }: RunEntries): number[] {
  return ids.map((_, index) => index).sort((a, b) => scores[b] - scores[a] || compareIds(ids[b], ids[a]))
}

/** The entries of a map in byte order of their keys. */
export function byId<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => compareIds(a, b))
}
