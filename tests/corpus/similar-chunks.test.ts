import fc from 'fast-check'
import { expect, test } from 'vitest'
import { denseIndex } from '../../src/corpus/dense/dense.ts'
import { similarChunks } from '../../src/corpus/graph/chunk-neighbors.ts'
import { membersOf } from '../../src/corpus/graph/csr.ts'
import type { Recipe } from '../../src/corpus/recipe.ts'
import type { Artifact } from '../../src/store/artifact.ts'
import { openStore } from '../../src/store/store.ts'
import { sharedFolder } from '../temporary.ts'
import { documentsOf, recipeOf } from './recipes.ts'

const store = openStore(sharedFolder())

async function open<T>(artifact: Artifact<T>): Promise<T> {
  await store.prepare(artifact)
  return store.open(artifact)
}

/** Every pair looked at: joined where one is among the `most` best of the other's with a cosine of `threshold`. */
async function plain(recipe: Recipe, threshold: number, most: number): Promise<[number, number][]> {
  const index = await open(denseIndex(recipe))
  const all = Array.from({ length: index.rows }, (_, row) => row)
  const chosen = all.map((row) => {
    const cosines = [...index.cosines(all, index.vector(row))]
    return all
      .filter((other) => other !== row && cosines[other] >= threshold)
      .sort((a, b) => cosines[b] - cosines[a] || b - a)
      .slice(0, most)
  })
  return all.flatMap((a) =>
    all.flatMap((b): [number, number][] => (chosen[a].includes(b) || chosen[b].includes(a) ? [[a, b]] : [])),
  )
}

test('each chunk is joined to the nearest that are near enough, and to those that choose it', async () => {
  const word = fc.constantFrom('salt', 'sea', 'ship', 'wood', 'axe', 'fir', 'oak', 'gull')
  const texts = fc.array(fc.array(word, { minLength: 1, maxLength: 5 }), { minLength: 3, maxLength: 9 })
  await fc.assert(
    fc.asyncProperty(
      texts,
      fc.double({ min: 0.2, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 4 }),
      async (texts, threshold, most) => {
        const recipe = recipeOf(documentsOf(texts.map((words) => words.join(' '))))
        const csr = await open(similarChunks(recipe, { threshold, most }))
        const pairs = Array.from({ length: csr.nodes }, (_, row) =>
          [...membersOf({ offsets: csr.offsets, members: csr.targets }, row)].map((other) => [row, other]),
        ).flat()
        expect(pairs).toEqual(await plain(recipe, threshold, most))
      },
    ),
    { numRuns: 25 },
  )
})
