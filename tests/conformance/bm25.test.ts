import { expect, it } from 'vitest'
import { bm25Index } from '../../src/corpus/lexical/bm25.ts'
import { termCounts } from '../../src/corpus/lexical/term-counts.ts'
import { openStore } from '../../src/store/store.ts'
import { ENGLISH_STOPWORDS } from '../../src/text/languages.ts'
import { createAnalyzer } from '../../src/text/tokenize.ts'
import { corpusOf, meanRecall } from '../corpus/corpora.ts'
import { sharedFolder } from '../temporary.ts'
import { describeForm } from './forms.ts'

interface Recipe {
  readonly k1: number
  readonly b: number
  readonly idf: string
  readonly stopwords: readonly string[]
  readonly tolerance: number
}
interface Expected {
  readonly dataset: string
  readonly documents: number
  readonly vocabulary: number
  readonly meanLength: number
  readonly 'recall@5': number
  readonly queries: readonly {
    readonly query: string
    readonly tokens: readonly string[]
    readonly matched: number
    readonly top: readonly [string, number][]
  }[]
}

/** Our name of the file's formula. */
const IDF: Readonly<Record<string, 'lucene'>> = { 'ln(1 + (N - n + 0.5) / (n + 0.5))': 'lucene' }

describeForm<{ recipe: Recipe; sets: Expected[] }>('bm25', ({ recipe: formRecipe, sets }) => {
  const root = sharedFolder()

  it('has our stop words', () =>
    expect([...formRecipe.stopwords].sort()).toEqual([...ENGLISH_STOPWORDS].sort()))

  sets.forEach((expected, place) => {
    it(`set ${place + 1}: ${expected?.dataset}`, async () => {
      const { k1, b, tolerance } = formRecipe
      const idf = IDF[formRecipe.idf]
      expect(idf, formRecipe.idf).toBeDefined()
      const { dataset, recipe: corpusRecipe } = await corpusOf(expected.dataset)
      // The cases were counted without names with signs.
      const recipe = { ...corpusRecipe, tokenizer: { name: 'words', params: {} } }
      const store = openStore(root)
      const counted = termCounts(recipe)
      const index = bm25Index(recipe, { k1, b, idf })
      await store.prepare(index)
      const { terms, lengths } = await store.open(counted)
      expect(lengths).toHaveLength(expected.documents)
      expect(terms).toHaveLength(expected.vocabulary)
      const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
      expect(mean).toBeCloseTo(expected.meanLength, 9)

      const bm25 = await store.open(index)
      const analyze = createAnalyzer()
      const texts = new Map(dataset.queries.map(({ id, text }) => [id, text]))
      for (const { query, tokens, matched, top } of expected.queries) {
        const text = texts.get(query) as string
        expect(analyze(text)).toEqual(tokens)
        const { rows, scores } = bm25.search(text, expected.documents)
        expect(rows).toHaveLength(matched)
        expect([...rows.slice(0, top.length)].map((row) => dataset.documents[row].id)).toEqual(
          top.map(([id]) => id),
        )
        top.forEach(([, score], rank) => {
          expect(Math.abs(scores[rank] - score)).toBeLessThan(tolerance)
        })
      }
      const rankings = dataset.queries.map(({ text }) => bm25.search(text, 5))
      expect(meanRecall(dataset, rankings)).toBeCloseTo(expected['recall@5'], 9)
    })
  })
})
