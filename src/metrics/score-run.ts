import { compareIds } from '../text/ids.ts'
import { roundC } from './c-numbers.ts'
import type { GradedRanking, Measure } from './define.ts'
import { DIALECTS, type Dialect } from './dialects.ts'
import { createScorer, meanOf } from './evaluate.ts'
import type { TiedRanking } from './variants.ts'

/** A query's qrels as columns, with a way to find an id's index. Made once, used for every run. */
export interface QueryGold {
  readonly ids: readonly string[]
  readonly grades: Int32Array
  /** Numbers of OR-groups; absent if each label counts alone. */
  readonly groups?: Int32Array
  readonly indexes: ReadonlyMap<string, number>
}

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
interface RetrievedIds {
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
  const retrieved = Array.from(ranks.keys()).filter((label) => ranks[label] > 0 && grades[label] >= 0)
  retrieved.sort((a, b) => ranks[a] - ranks[b])
  const fresh = new Int32Array(ranks.length)
  retrieved.forEach((label, index) => {
    fresh[label] = index + 1
  })
  const firstTied = new Int32Array(ranks.length)
  const lastTied = new Int32Array(ranks.length)
  for (let start = 0; start < retrieved.length; ) {
    let end = start + 1
    while (end < retrieved.length && judged.firstTied[retrieved[end]] === judged.firstTied[retrieved[start]])
      end++
    for (const label of retrieved.slice(start, end)) {
      firstTied[label] = start + 1
      lastTied[label] = end
    }
    start = end
  }
  return { ...judged, ranks: fresh, firstTied, lastTied, retrieved: retrieved.length }
}

export type GoldByQuery = ReadonlyMap<string, QueryGold>

/** Queries in byte order of their ids. `groups`: query id -> judged id -> name of its OR-group. */
export function goldByQuery(
  qrels: ReadonlyMap<string, ReadonlyMap<string, number>>,
  groups?: ReadonlyMap<string, ReadonlyMap<string, string>>,
): GoldByQuery {
  const ids = [...qrels.keys()].sort(compareIds)
  return new Map(ids.map((id) => [id, goldOf(qrels.get(id) as ReadonlyMap<string, number>, groups?.get(id))]))
}

interface ScoreRunInput {
  readonly gold: GoldByQuery
  readonly run: ReadonlyMap<string, RetrievedIds>
  readonly measures: readonly Measure[]
  readonly dialect?: Dialect
  /**
   * Leaves out judged queries that the run lacks, as trec_eval 9 without -c and BEIR do; else they score 0 and count. As
   * the dialect does if not given.
   */
  readonly presentOnly?: boolean
  /** Only the first so many of each query are looked at. */
  readonly depth?: number
  /** Drops the unjudged before ranks are counted. */
  readonly judgedOnly?: boolean
}

export interface RunScores {
  /** Query ids in byte order. */
  readonly queries: readonly string[]
  /** Values by [measure][query]. */
  readonly values: readonly Float64Array[]
  /** Means by measure, rounded if the dialect rounds. */
  readonly means: readonly number[]
  /** Judged queries that the run lacks. */
  readonly missing: number
  /** Queries of the run that nobody judged: they do not count. */
  readonly unjudged: number
  /** Mean share of the first ten documents that are judged, over the judged queries of the run; null where it has none. */
  readonly judged: number | null
  /** True if some document of the run is judged for its query; else the ids may be of another corpus. */
  readonly meets: boolean
}

export const JUDGED_RANKS = 10

export function scoreRankings(input: ScoreRunInput): RunScores {
  const { gold, run, measures, dialect = DIALECTS['trec_eval-10'] } = input
  const all = [...gold.keys()]
  const present = all.filter((id) => run.has(id))
  const queries = (input.presentOnly ?? dialect.presentOnly) ? present : all
  const scorer = createScorer(measures, dialect)
  const width = measures.length
  const table = new Float64Array(queries.length * width)
  const options = { dialect, depth: input.depth }
  let judgedShare = 0
  let meets = false
  for (let query = 0; query < queries.length; query++) {
    const id = queries[query]
    const labels = gold.get(id) as QueryGold
    const retrieved = run.get(id)
    const judged = retrieved && gradeRanking(id, retrieved, labels, options)
    if (judged) {
      judgedShare += judgedAmongFirst(judged)
      meets ||= retrieved.ids.some((document) => labels.indexes.has(document))
    }
    const counted = judged && input.judgedOnly ? withoutUnjudged(judged) : judged
    scorer.score(counted ?? nothing(labels), table, query * width)
  }
  const values = measures.map((_, column) => {
    const columnValues = new Float64Array(queries.length)
    for (let query = 0; query < columnValues.length; query++)
      columnValues[query] = table[query * width + column]
    return columnValues
  })
  const absent = queries.length - present.length
  const means = values.map((column, index) => {
    const late = dialect.absentLast && absent > 0 && measures[index].metric.mean === 'geometric'
    const mean = late
      ? meanOf(
          measures[index],
          column.filter((_, query) => run.has(queries[query])),
          absent,
        )
      : meanOf(measures[index], column)
    return dialect.decimals === null ? mean : roundC(mean, dialect.decimals)
  })
  return {
    queries,
    values,
    means,
    meets,
    missing: all.length - present.length,
    unjudged: run.size - present.length,
    judged: present.length === 0 ? null : judgedShare / present.length,
  }
}

function judgedAmongFirst({ ranks, retrieved }: GradedRanking): number {
  const judged = ranks.filter((rank) => rank > 0 && rank <= JUDGED_RANKS).length
  return retrieved === 0 ? 0 : judged / Math.min(JUDGED_RANKS, retrieved)
}

function nothing({ grades, groups }: QueryGold): GradedRanking {
  return { grades, groups, ranks: new Int32Array(grades.length), retrieved: 0 }
}
