/**
 * Reads reports without a model: in place of GraphRAG's map call (points, 0 to 100) and rating call (0 to 5).
 *
 *     score of a sentence  round(100 * distinct query terms in it / distinct query terms)
 *     rating of a report   round(5 * distinct query terms in it / distinct query terms)
 */
const POINTS = 5

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
