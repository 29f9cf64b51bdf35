import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBm25, createLexicon } from '../../src/corpus/lexical/bm25.ts'
import { askedFields, fieldCounts, weighFields } from '../../src/corpus/lexical/fields.ts'
import { openStore } from '../../src/store/store.ts'
import { countTerms } from '../../src/text/term-counts.ts'
import type { Json } from '../../src/types.ts'
import { temporaryFolder } from '../temporary.ts'
import { documentsOf, recipeOf } from './recipes.ts'

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
        const times = tokens.filter((one) => one === token).length
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

test('one field is BM25 over it', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), text, b, (texts, query, b) => {
      const counts = countTerms(texts, split)
      const one = createBm25(createLexicon(weighFields([{ counts, weight: 1 }], b), split), {
        k1: 0.9,
        b: 0,
        idf: 'lucene',
      }).search(query, texts.length)
      const other = createBm25(createLexicon(counts, split), { k1: 0.9, b, idf: 'lucene' })
      const scores = other.scores(query, one.rows)
      one.rows.forEach((_, i) => {
        expect(one.scores[i]).toBeCloseTo(scores[i], 12)
      })
    }),
  )
})

test('a field of metadata that no chunk has is refused, with those that there are', async () => {
  const documents = documentsOf(['one', 'two']).map((one) => ({ ...one, metadata: { year: 1, author: 'x' } }))
  const asked = askedFields(recipeOf(documents), { text: 1, 'metadata.autor': 2 })
  if (!asked) throw new Error('nothing is asked')
  const store = openStore(temporaryFolder())
  await store.prepare(asked)
  await expect(store.open(asked)).rejects.toThrow(
    'no chunk has the metadata `autor` (did you mean "author"?); there are author, year',
  )
  const several = askedFields(recipeOf(documents), { 'metadata.year': 1, 'metadata.autor': 2 })
  if (!several) throw new Error('nothing is asked')
  await store.prepare(several)
  await expect(store.open(several)).rejects.toThrow(/^no chunk has the metadata `autor` [^\n]*$/)
  expect(askedFields(recipeOf(documents), { title: 2, text: 1 })).toBeUndefined()
})

test('a field of metadata is read as text: strings, numbers and lists of them', async () => {
  const values: Json[] = ['red', 1998, ['blue', 7], null, true, { red: 1 }]
  const documents = documentsOf(values.map(String)).map((one, at) => ({
    ...one,
    metadata: { own: values[at] },
  }))
  const counts = fieldCounts(
    recipeOf(documents),
    { stemmer: 'none', stopwords: 'none' },
    { 'metadata.own': 1 },
    0.4,
  )
  const store = openStore(temporaryFolder())
  await store.prepare(counts)
  const { terms, lengths } = (await store.open(counts)).all
  expect([...terms].sort()).toEqual(['1998', '7', 'blue', 'red'])
  expect([...lengths].map((length) => length > 0)).toEqual([true, true, true, false, false, false])
})

test('counts of some chunks are those of a corpus of them', async () => {
  const documents = documentsOf(['red fox runs', 'blue fox', 'red sea', 'old red barn'], 'The red one')
  const fields = { title: 2, text: 1 }
  const open = async (chosen: typeof documents) => {
    const counts = fieldCounts(recipeOf(chosen), { stemmer: 'none', stopwords: 'none' }, fields, 0.4)
    const store = openStore(temporaryFolder())
    await store.prepare(counts)
    return store.open(counts)
  }
  // The order of the terms is no matter.
  const byTerm = ({ terms, offsets, rows, counts, lengths }: Awaited<ReturnType<typeof open>>['all']) => ({
    lengths,
    postings: new Map(
      terms.map((term, i) => [
        term,
        [rows.slice(offsets[i], offsets[i + 1]), counts.slice(offsets[i], offsets[i + 1])],
      ]),
    ),
  })
  const some = (await open(documents)).of(Uint32Array.of(1, 3))
  expect(byTerm(some)).toEqual(byTerm((await open([documents[1], documents[3]])).all))
})
