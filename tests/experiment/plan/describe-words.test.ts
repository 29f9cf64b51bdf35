import fc from 'fast-check'
import { expect, test } from 'vitest'
import { embedder } from '../../../src/corpus/dense/embeddings.ts'
import { bm25Index } from '../../../src/corpus/lexical/bm25.ts'
import { describeWords, rarityOf } from '../../../src/experiment/plan/describe-words.ts'
import { artifactsBelow } from '../../../src/store/artifact.ts'
import { openStore } from '../../../src/store/store.ts'
import { documentsOf, recipeOf } from '../../corpus/recipes.ts'
import { temporaryFolder } from '../../temporary.ts'

const BM25 = { k1: 0.9, b: 0.4, idf: 'lucene', stemmer: 'language', stopwords: 'language' } as const
const text = fc
  .array(fc.constantFrom('the', 'salt', 'pans', 'peat', 'racks', 'of', '?', 'wolves', '盐田', '泥炭'), {
    maxLength: 4,
  })
  .map((words) => words.join(' '))

test('counts the queries that BM25 ranks nothing for, and that LSA has a vector of zeros for', async () => {
  const texts = fc.array(text, { minLength: 1, maxLength: 5 })
  const property = fc.asyncProperty(texts, texts, async (corpus, queries) => {
    const recipe = recipeOf(documentsOf(corpus))
    const store = openStore(temporaryFolder())
    const [bm25, lsa] = [bm25Index(recipe, BM25), embedder(recipe)]
    for (const artifact of [bm25, lsa]) await store.prepare(artifact)
    const words = await describeWords(store, artifactsBelow([bm25, lsa]), queries)
    const index = await store.open(bm25)
    const lost = queries.filter((query) => index.search(query, 9).rows.length === 0).length
    expect(words?.searches.map(({ name, queries }) => [name, queries])).toEqual([
      ['bm25', queries.length],
      ['lsa', queries.length],
    ])
    for (const { wordless, unknown } of words?.searches ?? []) expect(wordless + unknown).toBe(lost)
    const model = await store.open(lsa)
    const vectors = await model.embed(queries)
    const zeros = queries.filter((_, i) =>
      vectors.slice(i * model.dims, (i + 1) * model.dims).every((value) => value === 0),
    )
    expect(zeros.length).toBeGreaterThanOrEqual(lost)
  })
  await fc.assert(property, { numRuns: 25 })
})

test('says nothing of words that are not counted yet, or that nothing reads', async () => {
  const recipe = recipeOf(documentsOf(['salt is raked from pans']))
  const store = openStore(temporaryFolder())
  const read = artifactsBelow([bm25Index(recipe, BM25)])
  expect(await describeWords(store, read, ['salt'])).toBeUndefined()
  expect(await describeWords(store, artifactsBelow([recipe.documents]), ['salt'])).toBeUndefined()
})

test('how rare the terms of a text are: each once, infinitely where no chunk holds it; null where nothing looks words up', async () => {
  const recipe = recipeOf(documentsOf(['salt is raked', 'salt and peat', 'salt', 'wolves']))
  const store = openStore(temporaryFolder())
  const bm25 = bm25Index(recipe, BM25)
  await store.prepare(bm25)
  const rarity = await rarityOf(store, artifactsBelow([bm25]))
  const idf = (n: number) => Math.log1p((4 - n + 0.5) / (n + 0.5))
  expect(rarity?.('Salt, the salt of wolves?')).toEqual([idf(3), idf(1)])
  expect(rarity?.('iron')).toEqual([Number.POSITIVE_INFINITY])
  expect(rarity?.('')).toEqual([])
  expect(await rarityOf(store, artifactsBelow([recipe.documents]))).toBeNull()
})
