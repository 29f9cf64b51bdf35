import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Embedder } from '../../src/models/embedder.ts'
import transformersEmbedder from '../../src/models/embedders/transformers.ts'
import { embedUntilStopped, openModelSession } from '../../src/models/transformers/session.ts'
import { requestStop } from '../../src/stopping.ts'
import { vocabularyOf, wordsOf, writeEmbeddingModel } from '../fixtures/tiny-models.ts'
import { describeModels } from '../shared.ts'
import { temporaryFolder } from '../temporary.ts'

const TEXTS = ['the ship left the harbour', 'a storm broke the mast', 'bread']
const vocabulary = vocabularyOf(TEXTS)
const DIMS = 4
/** State of each word of the model. */
const states = vocabulary.map((_, row) =>
  Array.from({ length: DIMS }, (_, at) => ((row * 7 + at * 3) % 11) / 4 - 1),
)

function model(table = states): string {
  const folder = join(temporaryFolder(), 'tiny')
  writeEmbeddingModel(folder, vocabulary, table)
  return folder
}
/** A model that cuts texts before 32 tokens is not compared with models of a language. */
const parse = (params: object) =>
  transformersEmbedder.params.parse({ dtype: 'fp32', workers: 1, maxTokens: 31, ...params })
const artifactOf = (params: object) =>
  transformersEmbedder.make(parse(params)).artifact({ terms: () => expect.fail('counts no words') })
const open = async (params: object): Promise<Embedder> => artifactOf(params).open('', {})

const tokensOf = (text: string) =>
  ['[CLS]', ...wordsOf(text), '[SEP]'].map((word) => states[vocabulary.indexOf(word)])
const unit = (vector: readonly number[]) => vector.map((value) => value / Math.hypot(...vector))
const meanOf = (rows: readonly (readonly number[])[]) =>
  rows[0].map((_, at) => rows.reduce((sum, row) => sum + row[at], 0) / rows.length)
function expectNear(actual: Float32Array, expected: readonly number[]): void {
  expect(Array.from(actual, (value) => value.toFixed(4))).toEqual(
    Array.from(Float32Array.from(expected), (value) => value.toFixed(4)),
  )
}

describeModels('a model in a folder', () => {
  test('gives the mean of the states of the tokens, at length 1, and says how far it is', async () => {
    const embedder = await open({ model: model() })
    expect([embedder.dims, embedder.model]).toEqual([
      DIMS,
      expect.stringMatching(/^tiny \(fp32, [0-9a-f]{12}\)$/),
    ])
    const reports: [number, number][] = []
    const vectors = await embedder.embed(TEXTS, (...progress) => reports.push(progress))
    expect(vectors).toHaveLength(TEXTS.length * DIMS)
    TEXTS.forEach((text, index) => {
      expectNear(vectors.subarray(index * DIMS, (index + 1) * DIMS), unit(meanOf(tokensOf(text))))
    })
    expect(reports.at(-1)).toEqual([3, 3])
    expect(reports.map(([done]) => done)).toEqual(reports.map(([done]) => done).sort((a, b) => a - b))
    expect(reports.every(([done, total]) => done > 0 && total === 3)).toBe(true)
  })

  test('gives the vectors of the first texts if it is asked to stop', async () => {
    const session = await openModelSession({ model: model(), dtype: 'fp32', pooling: 'mean', maxTokens: 31 })
    let done = 0
    try {
      const vectors = await embedUntilStopped(session, TEXTS, (count) => {
        done += count
        requestStop(done === 2)
      })
      expect([vectors.length, done]).toEqual([2, 2])
    } finally {
      requestStop(false)
    }
    const broken = { ...session, embed: () => Promise.reject(new Error('broken')) }
    await expect(embedUntilStopped(broken, ['a'])).rejects.toThrow('broken')
  })
})
