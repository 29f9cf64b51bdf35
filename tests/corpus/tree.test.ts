import { join } from 'node:path'
import { expect, test } from 'vitest'
import { denseIndex } from '../../src/corpus/dense/dense.ts'
import { membersOf } from '../../src/corpus/graph/csr.ts'
import type { Recipe } from '../../src/corpus/recipe.ts'
import { modelTree, tree } from '../../src/corpus/summaries/tree.ts'
import { openStore } from '../../src/store/store.ts'
import { countTokens } from '../../src/text/tokens.ts'
import { documents } from '../fixtures/passages.ts'
import { temporaryFolder } from '../temporary.ts'
import { documentsOf, recipeOf } from './recipes.ts'

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
    const own = summaries.flatMap((one, row) => (one.layer === layer ? [{ ...one, row }] : []))
    const below =
      layer === 1
        ? documents.map((_, row) => row)
        : layers.flatMap((of, row) => (of === layer - 1 ? [row] : []))
    expect(below.length).toBeGreaterThan(4)
    expect(own.flatMap(({ children }) => children).sort((a, b) => a - b)).toEqual(below)
    const under = own.flatMap(({ row }) => [...membersOf(chunks, row)])
    expect(under.sort((a, b) => a - b)).toEqual(documents.map((_, row) => row))
  }
  const corpus = documents.map(({ title, text }) => `${title} ${text}`.replace(/\s+/g, ' ')).join(' ')
  for (const { text, tokens } of summaries) {
    expect(tokens).toBe(countTokens(text))
    for (const sentence of text.match(/[^.]+\./g) ?? []) expect(corpus).toContain(sentence.trim())
  }
})

test('the same tree each time, another with another seed', async () => {
  const first = await treeOf({ size: 4 })
  expect((await treeOf({ size: 4 })).summaries).toEqual(first.summaries)
  expect((await treeOf({ size: 4, seed: 1 })).summaries).not.toEqual(first.summaries)
})

test('a tree without a model asks none', () => {
  const recipe = recipeOf(documents)
  const extractive = { ...recipe, tree: { name: 'extractive', params: { size: 4 } } }
  expect([modelTree(recipe), modelTree(extractive)]).toEqual([[], []])
})

test('few chunks have no summaries, nor have none; small units are clustered as their chunks', async () => {
  const few = documentsOf(['Salt of Lomm.', 'Ships of Varn.', 'Glass of Orr.'])
  expect(await treeOf({ size: 4 }, few)).toMatchObject({ summaries: [], top: [] })
  const index = { name: 'sentences', params: { size: 64, each: 1 } }
  const { chunks, summaries } = await treeOf({ size: 4 }, documents, { index })
  const lowest = summaries.flatMap(({ layer }, row) => (layer === 1 ? [...membersOf(chunks, row)] : []))
  expect(lowest.sort((a, b) => a - b)).toEqual(documents.map((_, row) => row))
})
