import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Chosen } from '../../src/corpus/recipe.ts'
import { defineBuiltInEmbedder, type EmbedderPart } from '../../src/models/embedders/index.ts'
import { derived } from '../../src/store/artifact.ts'

const DIMS = 8

/** The mean of words' hashes: an embedder that needs no model. A text of no word has a vector of zeros. */
const definition = defineBuiltInEmbedder({
  name: 'words',
  summary: "words' hashes",
  params: z.strictObject({}),
  make: () => ({
    batch: 100,
    artifact: () =>
      derived('words', {}, () => ({
        model: 'words',
        dims: DIMS,
        embed: async (texts: readonly string[]) =>
          Float32Array.from(texts.flatMap((text) => mean(wordsOf(text)))),
      })),
  }),
})

export const wordVectors: Chosen<EmbedderPart> = { name: 'words', params: {}, definition }

const wordsOf = (text: string) => text.toLowerCase().match(/\w+/g) ?? []

function vectorOf(word: string): number[] {
  return normalized(
    [...createHash('sha256').update(word).digest().subarray(0, DIMS)].map((byte) => byte - 127.5),
  )
}

function mean(words: readonly string[]): number[] {
  const sum = new Array<number>(DIMS).fill(0)
  for (const word of words)
    vectorOf(word).forEach((value, i) => {
      sum[i] += value
    })
  return words.length === 0 ? sum : normalized(sum)
}

function normalized(vector: readonly number[]): number[] {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  return vector.map((value) => value / length)
}
