import { compareIds } from '../text/ids.ts'
import type { GradedRanking, Measure } from './define.ts'
import { DIALECTS, type Dialect } from './dialects.ts'
import { createScorer, meanOf } from './evaluate.ts'
import { roundC } from './format.ts'
import { goldOf, gradeRanking, type QueryGold, type RetrievedIds, withoutUnjudged } from './grade.ts'

/** The qrels of all queries, as columns: made once for any number of runs. */
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
  /** True if some document of the run is judged for its query. If none is, the document ids may be of another corpus. */
  readonly meets: boolean
}

/** Ranks in which the share of judged documents is counted. */
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
