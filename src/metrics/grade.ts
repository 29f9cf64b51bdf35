import { compareIds } from '../text/ids.ts'
import type { Dialect } from './dialects.ts'
import type { TiedRanking } from './ties.ts'

/** A query's qrels as columns, with a way to find an id's index. Made once, used for every run. */
export interface QueryGold {
  readonly ids: readonly string[]
  readonly grades: Int32Array
  /** Numbers of OR-groups; absent if each label counts alone. */
  readonly groups?: Int32Array
  readonly indexes: ReadonlyMap<string, number>
}

/** Qrels of one query; `groups` gives ids the name of their OR-group. */
export function goldOf(qrels: ReadonlyMap<string, number>, groups?: ReadonlyMap<string, string>): QueryGold {
  const ids = [...qrels.keys()]
  const grades = Int32Array.from(qrels.values())
  const indexes = new Map(ids.map((id, index) => [id, index]))
  if (!groups || groups.size === 0) return { ids, grades, indexes }
  const numbers = new Map<string, number>()
  const numbered = ids.map((id) => {
    const group = groups.get(id)
    // An id without a group is one of its own.
    const name = group === undefined ? `id ${id}` : `group ${group}`
    numbers.set(name, numbers.get(name) ?? numbers.size)
    return numbers.get(name) as number
  })
  return { ids, grades, indexes, groups: Int32Array.from(numbered) }
}

/** Retrieved documents of one query, in any order; scores give the ranks. */
export interface RetrievedIds {
  readonly ids: readonly string[]
  readonly scores: Float64Array
}

interface JudgeOptions {
  readonly dialect: Pick<Dialect, 'single' | 'dropsSelf'>
  /** Only the first so many are looked at (trec_eval's -M); all by default. */
  readonly depth?: number
}

/**
 * Ranks a query's labels in what a run retrieved: by score descending, equal scores by id bytes descending. A label's
 * rank is counted, not sorted: one more than the entries before it.
 */
export function gradeRanking(
  queryId: string,
  retrieved: RetrievedIds,
  gold: QueryGold,
  options: JudgeOptions,
): TiedRanking {
  const { dialect, depth = Number.POSITIVE_INFINITY } = options
  const { ids, scores: retrievedScores } = retrieved
  const { grades, groups, indexes } = gold
  const scores = dialect.single ? retrievedScores.map(Math.fround) : retrievedScores
  const dropped = dialect.dropsSelf ? ids.indexOf(queryId) : -1
  const entries = new Int32Array(grades.length).fill(-1)
  for (let entry = 0; entry < ids.length; entry++) {
    if (entry === dropped) continue
    const label = indexes.get(ids[entry])
    // If a dialect keeps repeats, the best one counts.
    if (label !== undefined && (entries[label] < 0 || scores[entry] > scores[entries[label]]))
      entries[label] = entry
  }
  const ranks = new Int32Array(grades.length)
  const firstTied = new Int32Array(grades.length)
  const lastTied = new Int32Array(grades.length)
  const total = ids.length - (dropped < 0 ? 0 : 1)
  for (let label = 0; label < grades.length; label++) {
    const entry = entries[label]
    if (entry < 0) continue
    const score = scores[entry]
    let above = 0
    let tied = 0
    let before = 0
    for (let other = 0; other < scores.length; other++) {
      if (scores[other] < score || other === dropped) continue
      if (scores[other] > score) above++
      else {
        tied++
        if (other !== entry && compareIds(ids[other], ids[entry]) > 0) before++
      }
    }
    if (above + before >= depth) continue
    ranks[label] = above + before + 1
    firstTied[label] = above + 1
    lastTied[label] = Math.min(above + tied, depth)
  }
  return { grades, groups, ranks, firstTied, lastTied, retrieved: Math.min(total, depth) }
}

/** Ranks among the judged alone, as trec_eval's -J counts them. Ties between judged ones keep the order they had. */
export function withoutUnjudged(judged: TiedRanking): TiedRanking {
  const { grades, ranks } = judged
  const kept = Array.from(ranks.keys()).filter((label) => ranks[label] > 0 && grades[label] >= 0)
  kept.sort((a, b) => ranks[a] - ranks[b])
  const fresh = new Int32Array(ranks.length)
  kept.forEach((label, index) => {
    fresh[label] = index + 1
  })
  const firstTied = new Int32Array(ranks.length)
  const lastTied = new Int32Array(ranks.length)
  for (let start = 0; start < kept.length; ) {
    let end = start + 1
    while (end < kept.length && judged.firstTied[kept[end]] === judged.firstTied[kept[start]]) end++
    for (const label of kept.slice(start, end)) {
      firstTied[label] = start + 1
      lastTied[label] = end
    }
    start = end
  }
  return { ...judged, ranks: fresh, firstTied, lastTied, retrieved: kept.length }
}
