import type { Metric, View } from './define.ts'
import { discount } from './log2.ts'
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
export const AUTORAG: Readonly<Record<string, Metric['score']>> = {
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
