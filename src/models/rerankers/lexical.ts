import { z } from 'zod'
import { derived } from '../../store/artifact.ts'
import type { TermCounts } from '../../text/term-counts.ts'
import type { Analyzer } from '../../text/tokenize.ts'
import { defineReranker, type Reranker } from '../reranker.ts'

/**
 * BM25 divided by its bound, over the query's tokens t, those that no text contains (n = 0) too; k1 = 0.9, b = 0.4:
 *
 *     score(q, d) = sum of idf(t) * tf / (tf + k1 * (1 - b + b * length(d) / meanLength))  /  sum of idf(t)
 */
export const lexical = defineReranker({
  name: 'lexical',
  summary: "the share of the query's words in a chunk: BM25 divided by its bound, from 0 to 1; no model",
  params: z.strictObject({}),
  artifact(_, { texts, terms }) {
    const { counts, analyze } = terms()
    return derived('lexical_reranker', { texts, counts, analyze }, lexicalReranker)
  },
})

const K1 = 0.9
const B = 0.4

export function lexicalReranker({
  texts,
  counts: { terms, offsets, lengths },
  analyze,
}: {
  readonly texts: readonly string[]
  readonly counts: TermCounts
  readonly analyze: Analyzer
}): Reranker {
  const numbers = new Map(terms.map((term, number) => [term, number]))
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  function idf(term: string): number {
    const number = numbers.get(term)
    const n = number === undefined ? 0 : offsets[number + 1] - offsets[number]
    return Math.log(1 + (lengths.length - n + 0.5) / (n + 0.5))
  }
  return {
    score({ lexical, text }, rows) {
      const query = analyze(lexical ?? text).map((term) => ({ term, weight: idf(term) }))
      const bound = query.reduce((sum, { weight }) => sum + weight, 0)
      return Float64Array.from(rows, (row) => {
        const tokens = analyze(texts[row])
        const tfs = new Map<string, number>()
        for (const token of tokens) tfs.set(token, (tfs.get(token) ?? 0) + 1)
        const norm = K1 * (1 - B + (B * tokens.length) / mean)
        let sum = 0
        for (const { term, weight } of query) {
          const tf = tfs.get(term) ?? 0
          sum += (weight * tf) / (tf + norm)
        }
        return bound === 0 ? 0 : sum / bound
      })
    },
  }
}
