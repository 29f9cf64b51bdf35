import type { GradedRanking } from './define.ts'

function judgedRanks({ grades, ranks }: GradedRanking): number[] {
  const held = new Set<number>()
  for (let label = 0; label < grades.length; label++)
    if (grades[label] >= 0 && ranks[label] > 0) held.add(ranks[label])
  return [...held].sort((a, b) => a - b)
}

/** A graded ranking without its unjudged results, as bpref and trec_eval's -J look at it (Sakai, SIGIR 2007: condensed lists). */
export function condensed(judged: GradedRanking): GradedRanking {
  const held = judgedRanks(judged)
  const place = new Map(held.map((rank, index) => [rank, index + 1]))
  const ranks = Int32Array.from(judged.ranks, (rank, label) =>
    judged.grades[label] >= 0 ? (place.get(rank) ?? 0) : 0,
  )
  return { grades: judged.grades, groups: judged.groups, ranks, retrieved: held.length }
}

/** A graded ranking with every unjudged result of the first `k` as relevant, at the lowest relevant grade. */
export function unjudgedRelevant(judged: GradedRanking, k: number, rel: number): GradedRanking {
  const held = new Set(judgedRanks(judged))
  const holes: number[] = []
  for (let rank = 1; rank <= Math.min(k, judged.retrieved); rank++) if (!held.has(rank)) holes.push(rank)
  const { groups } = judged
  const free = groups ? Math.max(-1, ...groups) + 1 : 0
  return {
    grades: Int32Array.from([...judged.grades, ...holes.map(() => rel)]),
    ranks: Int32Array.from([...judged.ranks, ...holes]),
    retrieved: judged.retrieved,
    ...(groups && { groups: Int32Array.from([...groups, ...holes.map((_, index) => free + index)]) }),
  }
}
