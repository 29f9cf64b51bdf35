import type { Judged } from './define.ts'

/**
 * What ties decide. Beside its rank, each retrieved label carries the first and last rank of the block of equally
 * scored units it stands in; a measure computed on the worst and on the best order of those blocks gives the interval
 * in which any tie-breaking would have put it. A constant scorer must show an interval, not 1.0.
 */
export interface TiedJudged extends Judged {
  /** First rank of the block of equal scores that holds the label; 0 where not retrieved. */
  readonly firstTied: Int32Array
  /** Last rank of that block. */
  readonly lastTied: Int32Array
}

/**
 * The labels in the order of ties that is best or worst for them: inside each block, higher grades first (last), labels
 * that are judged not relevant at the other end.
 */
export function reorderTies(judged: TiedJudged, order: 'best' | 'worst'): Judged {
  const { grades, firstTied, lastTied } = judged
  const ranks = new Int32Array(grades.length)
  const labels = Array.from(grades.keys()).filter((label) => firstTied[label] > 0)
  labels.sort((a, b) => firstTied[a] - firstTied[b] || grades[b] - grades[a])
  for (let start = 0; start < labels.length; ) {
    const first = firstTied[labels[start]]
    const last = lastTied[labels[start]]
    let end = start
    while (end < labels.length && firstTied[labels[end]] === first) end++
    const block = labels.slice(start, end)
    const relevant = block.filter((label) => grades[label] > 0)
    const others = block.filter((label) => grades[label] <= 0)
    const [ahead, behind] = order === 'best' ? [relevant, others] : [others, relevant]
    ahead.forEach((label, place) => {
      ranks[label] = first + place
    })
    behind.forEach((label, place) => {
      ranks[label] = last - place
    })
    start = end
  }
  return { ...judged, ranks }
}
