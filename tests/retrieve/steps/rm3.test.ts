import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBm25, createLexicon } from '../../../src/corpus/lexical/bm25.ts'
import type { WeightedTerms } from '../../../src/corpus/lexical/sums.ts'
import { turned } from '../../../src/corpus/lexical/term-counts.ts'
import { type Rm3Params, rm3Terms } from '../../../src/retrieve/strategies/rm3.ts'
import { countTerms } from '../../../src/text/term-counts.ts'

const words = (text: string) => text.split(' ').filter((word) => word !== '')
const WORDS = [
  'a',
  'ash',
  'bay',
  'cod',
  'dune',
  'elm',
  'fir',
  'ox',
  ...[20, 21].map((letters) => 'l'.repeat(letters)),
]

function indexOf(texts: readonly string[]) {
  const counts = countTerms(texts, words)
  const lexicon = createLexicon(counts, words)
  const bm25 = createBm25(lexicon, { k1: 0.9, b: 0.4, idf: 'lucene' })
  return { lexicon, vectors: turned(counts), bm25 }
}

/** RM3 as it is written down, with texts in place of postings. */
function oracle(texts: readonly string[], query: string, params: Rm3Params): Map<string, number> {
  const { terms, originalWeight } = params
  const best = indexOf(texts).bm25.search(query, 100)
  const df = (term: string) => texts.filter((text) => words(text).includes(term)).length
  const top = (weights: [string, number][]) =>
    weights.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, terms)
  const model = new Map<string, number>()
  for (let i = 0; i < Math.min(10, best.rows.length); i++) {
    const tokens = words(texts[best.rows[i]]).filter(
      (term) => term.length >= 2 && term.length <= 20 && df(term) <= 0.1 * texts.length,
    )
    const heaviest = top(
      [...new Set(tokens)].map((term) => [term, tokens.filter((token) => token === term).length]),
    )
    const sum = heaviest.reduce((total, [, tf]) => total + tf, 0)
    for (const [term, tf] of heaviest) model.set(term, (model.get(term) ?? 0) + (best.scores[i] * tf) / sum)
  }
  const expansion = top([...model])
  const total = expansion.reduce((sum, [, weight]) => sum + weight, 0)
  const result = new Map<string, number>()
  const add = (term: string, weight: number) => result.set(term, (result.get(term) ?? 0) + weight)
  for (const token of words(query)) if (df(token) > 0) add(token, originalWeight / words(query).length)
  for (const [term, weight] of expansion) add(term, (1 - originalWeight) * (weight / total))
  return new Map([...result].filter(([, weight]) => weight > 0))
}

const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }).map((list) => list.join(' '))
const corpus = fc.tuple(fc.array(text, { minLength: 1, maxLength: 30 }), fc.nat(40)).map(
  // Texts of their own words, so that some terms are rare enough to expand a query.
  ([texts, more]) => [...texts, ...Array.from({ length: more }, (_, i) => `own${i} sea`)],
)
const params = fc.record({
  terms: fc.integer({ min: 1, max: 6 }),
  originalWeight: fc.constantFrom(0, 0.25, 0.5, 1),
})

test('the weights are those of the formula', () => {
  fc.assert(
    fc.property(corpus, text, params, (texts, query, point) => {
      const { lexicon, vectors, bm25 } = indexOf(texts)
      const made = rm3Terms(query, bm25.search(query, 100), { lexicon, vectors }, point)
      const named = new Map(
        made.terms.map((term, i) => [lexicon.postings.terms[term], made.weights[i]] as const),
      )
      const expected = oracle(texts, query, point)
      expect([...named.keys()].sort()).toEqual([...expected.keys()].sort())
      for (const [term, weight] of expected) expect(named.get(term)).toBeCloseTo(weight, 12)
      if (made.terms.length > 0 && words(query).every((word) => lexicon.termOf(word) !== undefined)) {
        const sum = made.weights.reduce((total, weight) => total + weight, 0)
        expect([1, point.originalWeight].some((whole) => Math.abs(sum - whole) < 1e-12)).toBe(true)
      }
    }),
  )
})

test('a search for weighted terms adds up weighted impacts, and equals a search for the text', () => {
  fc.assert(
    fc.property(corpus, text, (texts, query) => {
      const { lexicon, bm25 } = indexOf(texts)
      const terms = words(query).flatMap((word) => lexicon.termOf(word) ?? [])
      const search = (weighted: WeightedTerms) => bm25.searchTerms(weighted, 100)
      expect(search({ terms, weights: terms.map(() => 1) })).toEqual(bm25.search(query, 100))
      const halves = search({ terms, weights: terms.map(() => 0.5) })
      expect([...halves.scores]).toEqual([...bm25.search(query, 100).scores].map((score) => score / 2))
    }),
  )
})
