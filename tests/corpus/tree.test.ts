import { join } from 'node:path'
import { expect, test } from 'vitest'
import { denseIndex } from '../../src/corpus/dense/dense.ts'
import { membersOf } from '../../src/corpus/graph/csr.ts'
import type { Recipe } from '../../src/corpus/recipe.ts'
import { tree } from '../../src/corpus/summaries/tree.ts'
import { openStore } from '../../src/store/store.ts'
import { countTokens } from '../../src/text/tokens.ts'
import { documents } from '../fixtures/passages.ts'
import { temporaryFolder } from '../temporary.ts'
import { recipeOf } from './recipes.ts'

const treeOf = async (params: Record<string, number>, of = documents, more: Partial<Recipe> = {}) => {
  const recipe = { ...recipeOf(of), ...more, tree: { name: 'extractive', params } }
  const store = openStore(join(temporaryFolder(), 'store'))
  await store.prepare(tree(recipe))
  await store.prepare(denseIndex(recipe))
  return { ...(await store.open(tree(recipe))), dense: await store.open(denseIndex(recipe)) }
}

test('a tree is built until a layer is small, each layer of the one below, in words of the corpus', async () => {
  const { summaries, chunks, top, index, dense } = await treeOf({ size: 4, tokens: 40 })
  const layers = summaries.map(({ layer }) => layer)
  expect(layers).toEqual([...layers].sort((a, b) => a - b))
  expect(Math.max(...layers)).toBeGreaterThan(1)
  expect([index.rows, index.dims]).toEqual([summaries.length, dense.dims])
  expect(top.length).toBeLessThanOrEqual(4)
  expect(top).toEqual(layers.flatMap((layer, row) => (layer === Math.max(...layers) ? [row] : [])))
  for (const layer of new Set(layers)) {
    const layerRows = summaries.flatMap((summary, row) =>
      summary.layer === layer ? [{ ...summary, row }] : [],
    )
    const below =
      layer === 1
        ? documents.map((_, row) => row)
        : layers.flatMap((of, row) => (of === layer - 1 ? [row] : []))
    expect(below.length).toBeGreaterThan(4)
    expect(layerRows.flatMap(({ children }) => children).sort((a, b) => a - b)).toEqual(below)
    const under = layerRows.flatMap(({ row }) => [...membersOf(chunks, row)])
    expect(under.sort((a, b) => a - b)).toEqual(documents.map((_, row) => row))
  }
  const corpus = documents.map(({ title, text }) => `${title} ${text}`.replace(/\s+/g, ' ')).join(' ')
  for (const { text, tokens } of summaries) {
    expect(tokens).toBe(countTokens(text))
    for (const sentence of text.match(/[^.]+\./g) ?? []) expect(corpus).toContain(sentence.trim())
  }
})
