import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lexicalReranker } from '../../../src/models/rerankers/lexical.ts'
import { countTerms } from '../../../src/text/term-counts.ts'

const analyze = (text: string) => text.split(' ').filter(Boolean)
const word = fc.constantFrom('a', 'b', 'c', 'd', 'unseen')
const texts = fc.array(
  fc
    .array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 8 })
    .map((words) => words.join(' ')),
  { minLength: 1, maxLength: 6 },
)

/** The formula of lexical.ts, word by word. */
function share(query: readonly string[], text: readonly string[], corpus: readonly string[][]): number {
  const mean = corpus.flat().length / corpus.length
  const idf = (term: string) => {
    const n = corpus.filter((words) => words.includes(term)).length
    return Math.log(1 + (corpus.length - n + 0.5) / (n + 0.5))
  }
  const parts = query.map((term) => {
    const tf = text.filter((word) => word === term).length
    return (idf(term) * tf) / (tf + 0.9 * (0.6 + (0.4 * text.length) / mean))
  })
  const bound = query.reduce((sum, term) => sum + idf(term), 0)
  return bound === 0 ? 0 : parts.reduce((sum, part) => sum + part, 0) / bound
}

test("is the share of the query's words, from 0 to 1", () => {
  fc.assert(
    fc.property(texts, fc.array(word, { maxLength: 6 }), (texts, query) => {
      const reranker = lexicalReranker({ texts, counts: countTerms(texts, analyze), analyze })
      const rows = Uint32Array.from(texts.keys())
      const scores = reranker.score({ id: 'q', text: query.join(' '), metadata: {} }, rows) as Float64Array
      const corpus = texts.map(analyze)
      corpus.forEach((text, row) => {
        expect(scores[row]).toBeCloseTo(share(query, text, corpus), 12)
        expect(scores[row]).toBeGreaterThanOrEqual(0)
        expect(scores[row]).toBeLessThan(1)
      })
    }),
  )
})
