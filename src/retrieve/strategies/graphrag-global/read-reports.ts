import type { Communities, Reports } from '../../../corpus/graph/graph.ts'

/**
 * Reads community reports without a model, by quoting sentences:
 *
 *     score of a sentence  round(100 * distinct query terms in it / distinct query terms)
 *     points of a report   its best sentences with a score above 0, at most POINTS
 *     rating of a report   round(5 * distinct query terms in it / distinct query terms)
 *
 * It replaces the map call of GraphRAG's global search (points scored 0 to 100) and, with dynamic selection, its rating
 * call (0 to 5).
 */
export const POINTS = 5

export interface ReportPoint {
  readonly report: number
  readonly sentence: number
  /** 1 to 100. */
  readonly score: number
}

interface SentenceTable {
  /** Sentence -> report row, ascending. */
  readonly reports: Uint32Array
}

/** Points of the reports in `read`, best first; ties in sentence order. `matches`: the sentences of each query term. */
export function extractPoints(
  { reports }: SentenceTable,
  matches: readonly Uint32Array[],
  terms: number,
  read: ReadonlySet<number>,
): ReportPoint[] {
  const hits = new Map<number, number>()
  for (const sentences of matches)
    for (const sentence of sentences)
      if (read.has(reports[sentence])) hits.set(sentence, (hits.get(sentence) ?? 0) + 1)
  const points = [...hits].map(([sentence, count]) => ({
    report: reports[sentence],
    sentence,
    score: Math.round((100 * count) / terms),
  }))
  points.sort((a, b) => b.score - a.score || a.sentence - b.sentence)
  const taken = new Map<number, number>()
  return points.filter(({ report, score }) => {
    const count = (taken.get(report) ?? 0) + 1
    taken.set(report, count)
    return score > 0 && count <= POINTS
  })
}

/** Ratings of all `size` reports, 0 to 5. */
export function rateReports(
  { reports }: SentenceTable,
  matches: readonly Uint32Array[],
  terms: number,
  size: number,
): Uint8Array {
  const hits = new Uint32Array(size)
  for (const sentences of matches) {
    let last = -1
    for (const sentence of sentences) {
      if (reports[sentence] === last) continue
      last = reports[sentence]
      hits[last]++
    }
  }
  return Uint8Array.from(hits, (count) => (terms === 0 ? 0 : Math.round((5 * count) / terms)))
}

export interface Descent {
  /** Reports that were kept, in the order in which they were rated. */
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
