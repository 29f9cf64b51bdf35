import { discount } from './c-numbers.ts'
import type { Metric, View } from './define.ts'
import { iprecRaised } from './rank.ts'
import { viewWithin } from './view.ts'

/**
 * AutoRAG's metrics over OR-groups G of gold, with the first k retrieved as P
 * (Marker-Inc-Korea/AutoRAG, autorag/evaluation/metric/retrieval.py):
 *
 *     recall    = |{g : g meets P}| / |G|
 *     precision = |{p in any g}| / |P|
 *     mrr       = sum over g of 1 / (rank of its first member) / |G|
 *     map       = sum over g of mean(precision at each member found) / |G|
 *     ndcg      = DCG of (p in any g) / DCG of min(|all members|, |P|) ones
 */
const AUTORAG: Readonly<Record<string, Metric['score']>> = {
  recall: (view, { k }) => ratio(viewWithin(view.found, k), view.relevant),
  precision: (view, { k }) => ratio(viewWithin(view.members, k), Math.min(k, view.retrieved)),
  mrr: (view, { k }) =>
    ratio(
      sum(Array.from(view.found.subarray(0, viewWithin(view.found, k)), (rank) => 1 / rank)),
      view.relevant,
    ),
  map(view, { k }) {
    const byGroup = new Map<number, { members: number; precision: number }>()
    for (const { rank, group } of membersOf(view, k)) {
      const entry = byGroup.get(group) ?? { members: 0, precision: 0 }
      entry.members++
      entry.precision += entry.members / rank
      byGroup.set(group, entry)
    }
    return ratio(
      sum([...byGroup.values()].map(({ members, precision }) => precision / members)),
      view.relevant,
    )
  },
  ndcg(view, { k }) {
    let gained = 0
    for (const rank of view.members.subarray(0, viewWithin(view.members, k))) gained += 1 / discount(rank)
    let ideal = 0
    const ones = Math.min(countMembers(view), view.retrieved, k)
    for (let rank = 1; rank <= ones; rank++) ideal += 1 / discount(rank)
    return ratio(gained, ideal)
  },
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function countMembers({ judged, rel }: View): number {
  let members = 0
  for (const grade of judged.grades) if (grade >= rel) members++
  return members
}

function membersOf({ judged, rel }: View, k: number): { rank: number; group: number }[] {
  const members: { rank: number; group: number }[] = []
  judged.grades.forEach((grade, label) => {
    const rank = judged.ranks[label]
    if (grade >= rel && rank > 0 && rank <= k)
      members.push({ rank, group: judged.groups ? judged.groups[label] : label })
  })
  return members.sort((a, b) => a.rank - b.rank)
}

/** Conventions of an evaluation tool. With them, scores can be compared with that tool's. */
export interface Dialect {
  readonly name: DialectName
  readonly summary: string
  /** Scores are float32: more ties. */
  readonly single: boolean
  /** A document whose id is the query's own is dropped before ranks are given. */
  readonly dropsSelf: boolean
  /** Judged queries that a run lacks are left out unless asked for; else they count as 0. */
  readonly presentOnly: boolean
  /** Queries that a run lacks enter a geometric mean after all others, which can move its last bit. */
  readonly absentLast: boolean
  /** A ranking may hold the same id several times, and each takes a rank. */
  readonly keepsRepeats: boolean
  /** Decimals that means are rounded to; null keeps every bit. */
  readonly decimals: number | null
  /** Metrics that mean something else here, by name; with `only`, no others exist. */
  readonly metrics: Readonly<Record<string, Metric['score']>>
  readonly only: boolean
}

export const DIALECT_NAMES = ['trec_eval-10', 'trec_eval-9', 'beir', 'hipporag', 'autorag'] as const
export type DialectName = (typeof DIALECT_NAMES)[number]

const PLAIN: Dialect = {
  name: 'trec_eval-10',
  summary: 'trec_eval 10: double scores',
  single: false,
  dropsSelf: false,
  presentOnly: false,
  absentLast: false,
  keepsRepeats: false,
  decimals: null,
  metrics: {},
  only: false,
}

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  'trec_eval-10': PLAIN,
  'trec_eval-9': {
    ...PLAIN,
    name: 'trec_eval-9',
    summary: 'trec_eval 9, pytrec_eval, MTEB: float32 scores',
    single: true,
    absentLast: true,
    metrics: { iprec: iprecRaised },
  },
  beir: {
    ...PLAIN,
    name: 'beir',
    summary:
      "BEIR: as trec_eval-9, without the query's own id and without queries that the run lacks, means to 5 decimals",
    single: true,
    absentLast: true,
    metrics: { iprec: iprecRaised },
    dropsSelf: true,
    presentOnly: true,
    decimals: 5,
  },
  hipporag: {
    ...PLAIN,
    name: 'hipporag',
    summary: 'HippoRAG: passages are their texts (`title\\ntext`), recall of sets, means to 4 decimals',
    keepsRepeats: true,
    decimals: 4,
  },
  autorag: {
    ...PLAIN,
    name: 'autorag',
    summary: 'AutoRAG: OR-groups of gold; recall, precision, mrr, map and ndcg by its formulas',
    metrics: AUTORAG,
    only: true,
  },
}
