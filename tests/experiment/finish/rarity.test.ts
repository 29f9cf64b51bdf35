import { expect, test } from 'vitest'
import { bm25Index } from '../../../src/corpus/lexical/bm25.ts'
import { rarityOf } from '../../../src/experiment/finish/rarity.ts'
import { artifactsBelow } from '../../../src/store/artifact.ts'
import { openStore } from '../../../src/store/store.ts'
import { documentsOf, recipeOf } from '../../corpus/recipes.ts'
import { temporaryFolder } from '../../temporary.ts'

const BM25 = { k1: 0.9, b: 0.4, idf: 'lucene', stemmer: 'language', stopwords: 'language' } as const

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
