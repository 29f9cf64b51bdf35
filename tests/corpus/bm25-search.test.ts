import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBm25, createLexicon } from '../../src/corpus/lexical/bm25.ts'
import { createRandom } from '../../src/random.ts'
import { countTerms } from '../../src/text/term-counts.ts'
import { plainBm25 } from './plain-bm25.ts'

const split = (text: string) => text.split(' ')

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
      split,
    )
  })
const params = fc.record({
  k1: fc.constantFrom(0, 0.9, 1.5),
  b: fc.constantFrom(0, 0.4, 1),
  idf: fc.constantFrom('lucene' as const, 'okapi' as const),
})
/** Places among the terms, in thousandths: short queries and long ones. */
const listLengths = fc.oneof(
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
        fc.array(fc.tuple(listLengths, fc.boolean(), depth, masked), { minLength: 1, maxLength: 4 }),
        (counts, weighting, queries) => {
          const bm25 = createBm25(createLexicon(counts, split), weighting)
          const plain = plainBm25(counts, weighting)
          for (const [places, weighted, depth, step] of queries) {
            const terms = places.map((place) => Math.floor((place * counts.terms.length) / 1000))
            const query = { terms, weights: terms.map((_, i) => (weighted ? 1 / (1 + i) : 1)) }
            const mask = step ? Uint8Array.from(counts.lengths, (_, row) => row % step) : undefined
            expect(bm25.searchTerms(query, depth, mask)).toEqual(plain.search(query, depth, mask))
            const tokens = { terms, weights: terms.map(() => 1) }
            const text = terms.map((term) => counts.terms[term]).join(' ')
            expect(bm25.search(text, depth, mask)).toEqual(plain.search(tokens, depth, mask))
            const { extremes, ...ranking } = bm25.searchWithExtremes(text, depth)
            expect(ranking).toEqual(plain.search(tokens, depth))
            expect(extremes).toEqual(plain.extremes(tokens))
            const rows = Uint32Array.from(counts.lengths.keys())
            expect(bm25.scores(text, rows)).toEqual(plain.scores(tokens, rows))
          }
        },
      ),
      { numRuns: 150 },
    )
  })
})
