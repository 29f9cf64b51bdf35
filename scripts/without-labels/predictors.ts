/**
 * Signals of a strategy's quality that need no label, each for one query and one ranking; higher should be better. Scores are
 * those of the first ranks that an experiment keeps, so the mean of these stands for the mean of the corpus.
 */
export interface KeptRanking {
  /** Chunks, best first. */
  readonly chunks: readonly string[]
  readonly scores: readonly number[]
}

/** Ranks that WIG looks at. */
const FIRST = 5
/** Ranks whose chunks are compared between strategies. */
export const SHARED = 10

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** NQC (Shtok et al., 2012): standard deviation of the scores over their mean size. */
export function nqc({ scores }: KeptRanking): number {
  if (scores.length < 2) return 0
  const mean = meanOf(scores)
  const size = meanOf(scores.map(Math.abs))
  return size === 0 ? 0 : Math.sqrt(meanOf(scores.map((score) => (score - mean) ** 2))) / size
}

/** WIG (Zhou and Croft, 2007): mean of the first scores above the mean, over the root of the query's words and the mean size. */
export function wig({ scores }: KeptRanking, words: number): number {
  if (scores.length < 2) return 0
  const size = meanOf(scores.map(Math.abs))
  return size === 0
    ? 0
    : (meanOf(scores.slice(0, FIRST)) - meanOf(scores)) / (Math.sqrt(Math.max(1, words)) * size)
}

/** Clarity over scores (after Cronen-Townsend et al., 2002): bits by which the scores, as shares, differ from equal ones. */
export function scoreClarity({ scores }: KeptRanking): number {
  const least = Math.min(...scores, 0)
  const total = scores.reduce((sum, score) => sum + score - least, 0)
  if (scores.length < 2 || total === 0) return 0
  return scores.reduce((bits, score) => {
    const share = (score - least) / total
    return share > 0 ? bits + share * Math.log2(share * scores.length) : bits
  }, 0)
}

/** Mean share of the first chunks that another strategy has among its own first. */
export function agreement(own: KeptRanking, others: readonly KeptRanking[]): number {
  const first = own.chunks.slice(0, SHARED)
  if (first.length === 0 || others.length === 0) return 0
  return meanOf(
    others.map(({ chunks }) => {
      const there = new Set(chunks.slice(0, SHARED))
      return first.filter((chunk) => there.has(chunk)).length / first.length
    }),
  )
}

/** Recall of the chunks that at least half of all strategies rank first, as if they were gold (after Soboroff et al., 2001). */
export function consensus(own: KeptRanking, all: readonly KeptRanking[]): number {
  const votes = new Map<string, number>()
  for (const { chunks } of all)
    for (const chunk of chunks.slice(0, FIRST)) votes.set(chunk, (votes.get(chunk) ?? 0) + 1)
  const chosen = [...votes].filter(([, count]) => 2 * count >= all.length).map(([chunk]) => chunk)
  if (chosen.length === 0) return 0
  const first = new Set(own.chunks.slice(0, FIRST))
  return chosen.filter((chunk) => first.has(chunk)).length / chosen.length
}
