import type { Communities, Reports } from './graph.ts'

export interface Descent {
  /** Reports that were kept, in the order in which they were rated. */
  readonly kept: readonly number[]
  /** Every report that was rated, in order. */
  readonly rated: readonly number[]
}

/**
 * GraphRAG's dynamic selection: rates the reports of level 0, keeps those rated `least` or better, goes on to their
 * children, down to `level`; a report is dropped for its kept children. Where a whole level keeps nothing, the next one
 * is rated as a whole. microsoft/graphrag v3, query/context_builder/dynamic_community_selection.py.
 */
export function descend(
  reports: Reports,
  { levels, parents, children }: Communities,
  rating: (report: number) => number,
  least: number,
  level: number,
): Descent {
  const reportOf = new Map<number, number>()
  for (let row = 0; row < reports.size; row++) reportOf.set(reports.communities[row], row)
  const atLevel = (wanted: number) => [...reportOf.keys()].filter((community) => levels[community] === wanted)
  const kept = new Set<number>()
  const rated: number[] = []
  let queue = atLevel(0)
  for (let current = 0; queue.length > 0; ) {
    const next: number[] = []
    for (const community of queue) {
      const report = reportOf.get(community) as number
      rated.push(report)
      if (rating(report) < least) continue
      kept.add(report)
      const parent = reportOf.get(parents[community])
      if (parent !== undefined) kept.delete(parent)
      for (const child of children[community])
        if (levels[child] <= level && reportOf.has(child)) next.push(child)
    }
    current++
    queue = next.length === 0 && kept.size === 0 && current <= level ? atLevel(current) : next
  }
  return { kept: [...kept], rated }
}
