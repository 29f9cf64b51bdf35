import { type Incidence, membersOf } from './incidence.ts'

/**
 * GraphRAG's order of the relationships around selected entities:
 *
 *     in-network (both ends selected), by combined degree;
 *     then of the out-network ones (one end selected) the first `perEntity` x selected, by
 *     (number of distinct selected entities that the outside end is linked to, combined degree)
 *
 * all descending; equal ones: those whose source is selected first, then table order.
 * microsoft/graphrag v3, query/context_builder/local_context.py, `_filter_relationships`.
 */
export interface RelationshipColumns {
  /** Entity rows. */
  readonly sources: Uint32Array
  readonly targets: Uint32Array
  readonly combinedDegrees: ArrayLike<number>
}

/** The relationship rows around `selected` (distinct entity rows), best first. */
export function orderRelationships(
  selected: readonly number[],
  { sources, targets, combinedDegrees }: RelationshipColumns,
  relationshipsOfEntity: Incidence,
  perEntity: number,
): number[] {
  const chosen = new Set(selected)
  const touched = [...new Set(selected.flatMap((entity) => [...membersOf(relationshipsOfEntity, entity)]))]
  touched.sort((a, b) => a - b)
  const inside = touched.filter((row) => chosen.has(sources[row]) && chosen.has(targets[row]))
  const leaving = touched.filter((row) => chosen.has(sources[row]) && !chosen.has(targets[row]))
  const entering = touched.filter((row) => !chosen.has(sources[row]) && chosen.has(targets[row]))
  const links = new Map<number, Set<number>>()
  const link = (outside: number, selectedEnd: number) => {
    const ends = links.get(outside)
    if (ends) ends.add(selectedEnd)
    else links.set(outside, new Set([selectedEnd]))
  }
  for (const row of leaving) link(targets[row], sources[row])
  for (const row of entering) link(sources[row], targets[row])
  const linksOf = (row: number) =>
    links.get(chosen.has(sources[row]) ? targets[row] : sources[row])?.size ?? 0
  // Array sort is stable: equal ones stay as they were concatenated.
  const byDegree = (a: number, b: number) => combinedDegrees[b] - combinedDegrees[a]
  inside.sort(byDegree)
  const outside = [...leaving, ...entering].sort((a, b) => linksOf(b) - linksOf(a) || byDegree(a, b))
  return [...inside, ...outside.slice(0, perEntity * selected.length)]
}
