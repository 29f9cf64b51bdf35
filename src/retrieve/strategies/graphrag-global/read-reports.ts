import type { Communities, Reports } from '../../../corpus/graph/graph.ts'

interface Descent {
  /** Selected reports, in the order of their ratings. */
  readonly kept: readonly number[]
  /** Every report that was rated, in order. */
  readonly rated: readonly number[]
}

/**
 * GraphRAG's dynamic selection: rates the reports of communities without a parent (level 0), keeps those rated `min` or
 * better, goes on to their children, down to `level`. A report is dropped for its kept children. If a level keeps nothing,
 * the whole next level is rated. Yields reports, level by level, and receives their ratings.
 * microsoft/graphrag v3, query/context_builder/dynamic_community_selection.py.
 */
export function* descend(
  reports: Reports,
  { levels, parents, children }: Communities,
  min: number,
  level: number,
): Generator<readonly number[], Descent, readonly number[]> {
  const reportOf = new Map<number, number>()
  for (let row = 0; row < reports.size; row++) reportOf.set(reports.communities[row], row)
  const kept = new Set<number>()
  const rated: number[] = []
  const atLevel = (wanted: number) =>
    [...reportOf].flatMap(([community, report]) =>
      levels[community] === wanted && !rated.includes(report) ? [community] : [],
    )
  let queue = [...reportOf.keys()].filter((community) => parents[community] < 0 && levels[community] <= level)
  for (let current = 0; queue.length > 0; ) {
    const next: number[] = []
    const asked = queue.map((community) => reportOf.get(community) as number)
    const ratings = yield asked
    rated.push(...asked)
    for (const [at, community] of queue.entries()) {
      const report = asked[at]
      if (ratings[at] < min) continue
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

/** Runs a descent with known ratings. */
export function descendBy(descent: ReturnType<typeof descend>, rating: (report: number) => number): Descent {
  let step = descent.next()
  while (!step.done) step = descent.next(step.value.map(rating))
  return step.value
}
