import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBm25, createLexicon } from '../../src/corpus/lexical/bm25.ts'
import { weighFields } from '../../src/corpus/lexical/fields.ts'
import { countTerms } from '../../src/text/term-counts.ts'

const split = (text: string) => text.split(' ').filter(Boolean)
const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 6 }).map((words) => words.join(' '))
const chunks = fc.array(fc.record({ title: text, text }), { minLength: 1, maxLength: 8 })
const b = fc.constantFrom(0, 0.4, 0.75, 1)

/** The formula, chunk by chunk and token by token. */
function plain(
  corpus: readonly Readonly<Record<'title' | 'text', string>>[],
  query: string,
  weights: Readonly<Record<'title' | 'text', number>>,
  k1: number,
  b: number,
): number[] {
  const fields = ['title', 'text'] as const
  const mean = (field: 'title' | 'text') =>
    corpus.reduce((sum, chunk) => sum + split(chunk[field]).length, 0) / corpus.length
  const holds = (token: string) =>
    corpus.filter((chunk) => fields.some((field) => split(chunk[field]).includes(token))).length
  return corpus.map((chunk) =>
    split(query).reduce((score, token) => {
      const n = holds(token)
      const tf = fields.reduce((sum, field) => {
        const tokens = split(chunk[field])
        const times = tokens.filter((word) => word === token).length
        if (times === 0) return sum
        return sum + (weights[field] * times) / (1 - b + (b * tokens.length) / mean(field))
      }, 0)
      if (tf === 0) return score
      const idf = Math.log(1 + (corpus.length - n + 0.5) / (n + 0.5))
      return score + (idf * tf * (k1 + 1)) / (tf + k1)
    }, 0),
  )
}

test('BM25F is its formula', () => {
  fc.assert(
    fc.property(chunks, text, b, fc.constantFrom(0.5, 2), (corpus, query, b, weight) => {
      const counts = (field: 'title' | 'text') =>
        countTerms(
          corpus.map((chunk) => chunk[field]),
          split,
        )
      const weighed = weighFields(
        [
          { counts: counts('title'), weight },
          { counts: counts('text'), weight: 1 },
        ],
        b,
      )
      const index = createBm25(createLexicon(weighed, split), { k1: 0.9, b: 0, idf: 'lucene' })
      const expected = plain(corpus, query, { title: weight, text: 1 }, 0.9, b)
      const { rows, scores } = index.search(query, corpus.length)
      expect([...rows].sort()).toEqual([...expected.keys()].filter((row) => expected[row] > 0).sort())
      rows.forEach((row, i) => {
        expect(scores[i]).toBeCloseTo(expected[row], 12)
      })
    }),
  )
})
