import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBm25Search } from '../../src/corpus/lexical/bm25-search.ts'
import { createPostings, placeIn } from '../../src/corpus/lexical/postings.ts'
import { createRandom } from '../../src/random.ts'
import { countTerms } from '../../src/text/term-counts.ts'
import { plainBm25 } from './plain-bm25.ts'

/** Texts of words that are rare and common by Zipf's law; in some corpora every text has the first word. */
const corpus = fc
  .record({
    texts: fc.integer({ min: 1, max: 400 }),
    words: fc.integer({ min: 2, max: 300 }),
    length: fc.integer({ min: 1, max: 20 }),
    everywhere: fc.boolean(),
    seed: fc.nat(1000),
  })
  .map(({ texts, words, length, everywhere, seed }) => {
    const { uniform, below } = createRandom(seed)
    const text = () =>
      Array.from({ length: 1 + below(length) }, () => `w${Math.floor(words ** uniform())}`).concat(
        everywhere ? ['w1'] : [],
      )
    return countTerms(
      Array.from({ length: texts }, () => text().join(' ')),
      (text) => text.split(' '),
    )
  })
const params = fc.record({
  k1: fc.constantFrom(0, 0.9, 1.5),
  b: fc.constantFrom(0, 0.4, 1),
  idf: fc.constantFrom('lucene' as const, 'okapi' as const),
})
/** Places among the terms, in thousandths: short queries, and some of more terms than are bounded. */
const asked = fc.oneof(
  { weight: 5, arbitrary: fc.array(fc.nat(999), { maxLength: 8 }) },
  fc.array(fc.nat(999), { minLength: 30, maxLength: 60 }),
)
const depth = fc.oneof(fc.nat(12), fc.constant(1000))
const masked = fc.option(fc.integer({ min: 2, max: 5 }))

describe('bm25 search', () => {
  it('finds what scoring every posting finds, bit for bit', () => {
    fc.assert(
      fc.property(
        corpus,
        params,
        fc.array(fc.tuple(asked, fc.boolean(), depth, masked), { minLength: 1, maxLength: 4 }),
        (counts, weighting, queries) => {
          const search = createBm25Search(createPostings(counts), weighting)
          const plain = plainBm25(counts, weighting)
          for (const [places, weighted, depth, step] of queries) {
            const terms = places.map((place) => Math.floor((place * counts.terms.length) / 1000))
            const query = { terms, weights: terms.map((_, i) => (weighted ? 1 / (1 + i) : 1)) }
            const within = step ? Uint8Array.from(counts.lengths, (_, row) => row % step) : undefined
            expect(search.search(query, depth, within)).toEqual(plain.search(query, depth, within))
            const { extremes, ...ranking } = search.searchWithExtremes(query, depth)
            expect(ranking).toEqual(plain.search(query, depth))
            expect(extremes).toEqual(plain.extremes(query))
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  it('shares postings between weightings', () => {
    const counts = countTerms(['a b', 'a a c', 'b c d d', 'a d'], (text) => text.split(' '))
    const postings = createPostings(counts)
    const weightings = [0.5, 1.5].map((k1) => ({ k1, b: 0.4, idf: 'lucene' as const }))
    const searches = weightings.map((weighting) => createBm25Search(postings, weighting))
    for (const terms of [[0, 1], [3, 3, 2], [1]]) {
      const query = { terms, weights: terms.map(() => 1) }
      searches.forEach((search, i) => {
        expect(search.search(query, 2)).toEqual(plainBm25(counts, weightings[i]).search(query, 2))
      })
    }
  })

  it('finds the best of many chunks for many terms, in turn with two weightings', () => {
    const { uniform } = createRandom(5)
    const texts = Array.from({ length: 5003 }, () =>
      Array.from({ length: 20 }, () => `w${Math.floor(900 ** uniform())}`).join(' '),
    )
    const counts = countTerms(texts, (text) => text.split(' '))
    const postings = createPostings(counts)
    const weightings = [0.5, 1.5].map((k1) => ({ k1, b: 0.4, idf: 'lucene' as const }))
    const searches = weightings.map((weighting) => createBm25Search(postings, weighting))
    for (let query = 0; query < 6; query++) {
      const terms = Array.from({ length: 12 + 8 * query }, () => Math.floor(uniform() * counts.terms.length))
      const weights = terms.map((_, i) => (query < 2 ? 1 : query < 4 ? 1 / (1 + i) : 1e-30 ** (i % 2)))
      const depth = [10, 1, 100, 2000][query % 4]
      const within = query % 2 ? Uint8Array.from(texts, (_, row) => row % 3) : undefined
      searches.forEach((search, i) => {
        const expected = plainBm25(counts, weightings[i]).search({ terms, weights }, depth, within)
        expect(search.search({ terms, weights }, depth, within)).toEqual(expected)
      })
    }
  })
})

describe('bitmap', () => {
  it('tells where a row stands among the postings', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(199), { minLength: 10 }), (holding) => {
        const texts = Array.from({ length: 200 }, (_, row) => (holding.includes(row) ? 'a b' : 'b'))
        const counts = countTerms(texts, (text) => text.split(' '))
        const { bitmap } = createPostings(counts)
        counts.terms.forEach((_, term) => {
          const list = bitmap(term)
          if (!list) throw new Error('a list of 10 in 200 is long')
          const own = counts.rows.subarray(counts.offsets[term], counts.offsets[term + 1])
          const places = texts.map((_, row) => placeIn(list, row))
          const expected = texts.map((_, row) =>
            own.includes(row) ? counts.offsets[term] + own.indexOf(row) : -1,
          )
          expect(places).toEqual(expected)
        })
      }),
    )
  })
})
