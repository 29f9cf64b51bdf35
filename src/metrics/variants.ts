import { addTo } from '../maps.ts'
import type { GradedRanking } from './define.ts'

/**
 * Labels with the first and last rank of the block of equal scores that holds each. The measure on the worst and the
 * best order of those blocks is the interval over all tie-breakings.
 */
export interface TiedRanking extends GradedRanking {
  /** First rank of the block of equal scores that holds the label; 0 where not retrieved. */
  readonly firstTied: Int32Array
  /** Last rank of that block. */
  readonly lastTied: Int32Array
}

/**
 * Labels in the order of ties that is best or worst for them: in each block, higher grades first (last), not relevant
 * ones at the other end. Labels of one unit move together; one that several units hold moves with the first.
 */
export function reorderTies(judged: TiedRanking, order: 'best' | 'worst'): GradedRanking {
  const { grades, ranks: oldRanks, firstTied, lastTied } = judged
  const ranks = new Int32Array(grades.length)
  const units = new Map<number, { labels: number[]; grade: number }>()
  for (let label = 0; label < grades.length; label++) {
    if (firstTied[label] === 0) continue
    const unit = units.get(oldRanks[label])
    if (unit) {
      unit.labels.push(label)
      unit.grade = Math.max(unit.grade, grades[label])
    } else units.set(oldRanks[label], { labels: [label], grade: grades[label] })
  }
  const blocks = new Map<number, { labels: number[]; grade: number }[]>()
  for (const unit of units.values()) {
    const first = firstTied[unit.labels[0]]
    addTo(blocks, first, unit)
  }
  for (const [first, block] of blocks) {
    block.sort((a, b) => b.grade - a.grade)
    const last = lastTied[block[0].labels[0]]
    const relevant = block.filter(({ grade }) => grade > 0)
    const others = block.filter(({ grade }) => grade <= 0)
    const [ahead, behind] = order === 'best' ? [relevant, others] : [others, relevant]
    const put = (labels: readonly number[], rank: number) => {
      for (const label of labels) ranks[label] = rank
    }
    ahead.forEach(({ labels }, index) => {
      put(labels, first + index)
    })
    behind.forEach(({ labels }, index) => {
      put(labels, last - index)
    })
  }
  return { ...judged, ranks }
}

function judgedRanks({ grades, ranks }: GradedRanking): number[] {
  const retrievedRanks = new Set<number>()
  for (let label = 0; label < grades.length; label++)
    if (grades[label] >= 0 && ranks[label] > 0) retrievedRanks.add(ranks[label])
  return [...retrievedRanks].sort((a, b) => a - b)
}

/** A graded ranking without its unjudged results (condensed lists: Sakai, SIGIR 2007). */
export function condensed(judged: GradedRanking): GradedRanking {
  const retrievedRanks = judgedRanks(judged)
  const place = new Map(retrievedRanks.map((rank, index) => [rank, index + 1]))
  const ranks = Int32Array.from(judged.ranks, (rank, label) =>
    judged.grades[label] >= 0 ? (place.get(rank) ?? 0) : 0,
  )
  return { grades: judged.grades, groups: judged.groups, ranks, retrieved: retrievedRanks.length }
}

/** A graded ranking with every unjudged result of the first `k` as relevant, at the lowest relevant grade. */
export function unjudgedRelevant(judged: GradedRanking, k: number, rel: number): GradedRanking {
  const ranks = new Set(judgedRanks(judged))
  const holes: number[] = []
  for (let rank = 1; rank <= Math.min(k, judged.retrieved); rank++) if (!ranks.has(rank)) holes.push(rank)
  const { groups } = judged
  const free = groups ? Math.max(-1, ...groups) + 1 : 0
  return {
    grades: Int32Array.from([...judged.grades, ...holes.map(() => rel)]),
    ranks: Int32Array.from([...judged.ranks, ...holes]),
    retrieved: judged.retrieved,
    ...(groups && { groups: Int32Array.from([...groups, ...holes.map((_, index) => free + index)]) }),
  }
}
