import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Embedder } from '../../src/models/embedder.ts'
import { transformersEmbedder } from '../../src/models/embedders/transformers.ts'
import { requestStop, Stopped } from '../../src/stopping.ts'
import { vocabularyOf, wordsOf, writeMaskedModel } from '../fixtures/tiny-models.ts'
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
  writeMaskedModel(folder, vocabulary, table, 'last_hidden_state')
  return folder
}
/** A model that cuts texts before 32 tokens is not compared with models of a language. */
const parse = (given: object) =>
  transformersEmbedder.params.parse({ dtype: 'fp32', workers: 1, maxTokens: 31, ...given })
const artifactOf = (given: object) =>
  transformersEmbedder.artifact(parse(given), { terms: () => expect.fail('counts no words') })
const open = async (given: object): Promise<Embedder> => artifactOf(given).open('', {})

const tokensOf = (text: string) =>
  ['[CLS]', ...wordsOf(text), '[SEP]'].map((word) => states[vocabulary.indexOf(word)])
const unit = (vector: readonly number[]) => vector.map((value) => value / Math.hypot(...vector))
const meanOf = (rows: readonly (readonly number[])[]) =>
  rows[0].map((_, at) => rows.reduce((sum, row) => sum + row[at], 0) / rows.length)
function expectNear(found: Float32Array, expected: readonly number[]): void {
  expect(Array.from(found, (value) => value.toFixed(4))).toEqual(
    Array.from(Float32Array.from(expected), (value) => value.toFixed(4)),
  )
}

describe('a model in a folder', () => {
  test('gives the mean of the states of the tokens, at length 1, and says how far it is', async () => {
    const embedder = await open({ model: model() })
    expect([embedder.dims, embedder.model]).toEqual([
      DIMS,
      expect.stringMatching(/^tiny \(fp32, [0-9a-f]{12}\)$/),
    ])
    const told: [number, number][] = []
    const vectors = await embedder.embed(TEXTS, (...progress) => told.push(progress))
    expect(vectors).toHaveLength(TEXTS.length * DIMS)
    TEXTS.forEach((text, index) => {
      expectNear(vectors.subarray(index * DIMS, (index + 1) * DIMS), unit(meanOf(tokensOf(text))))
    })
    expect(told.at(-1)).toEqual([3, 3])
    expect(told.map(([done]) => done)).toEqual(told.map(([done]) => done).sort((a, b) => a - b))
    expect(told.every(([done, total]) => done > 0 && total === 3)).toBe(true)
  })

  test('gives the state of the first token, if that is its pooling, and each token by itself', async () => {
    const embedder = await open({ model: model(), pooling: 'cls' })
    const vectors = await embedder.embed(['bread'])
    expectNear(vectors, unit(states[vocabulary.indexOf('[CLS]')]))
    expect(transformersEmbedder.tokens).toBe(true)
    const tokens = (await embedder.tokens?.(['bread'])) ?? []
    expect(tokens.map(({ length }) => length)).toEqual([3 * DIMS])
    expectNear(
      tokens[0],
      tokensOf('bread').flatMap((state) => unit(state)),
    )
  })

  test('is known by its files and its pooling, and refused where they change', async () => {
    const folder = model()
    const pinned = transformersEmbedder.pin?.(parse({ model: folder })) as object
    const key = (given: object) => artifactOf(given).key
    expect(key({ model: folder })).toBe(key(pinned))
    expect(key({ model: model(), workers: 7 })).toBe(key(pinned))
    expect(key({ model: folder, pooling: 'cls' })).not.toBe(key(pinned))
    expect(key({ model: folder, maxTokens: 5 })).not.toBe(key(pinned))
    expect(pinned).toMatchObject({ model: folder, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(
      transformersEmbedder.pin?.(
        parse({ model: folder, pooling: 'cls', prefix: { query: 'q: ', passage: '' } }),
      ),
    ).toMatchObject({
      ...{ pooling: 'cls', prefix: { query: 'q: ', passage: '' } },
    })
    await expect(open({ model: folder, sha256: 'other' })).rejects.toThrow('have changed since this was made')
    rmSync(join(folder, 'tokenizer.json'))
    await expect(open(pinned)).rejects.toThrow('lacks tokenizer.json')
  })

  test('is refused where its vectors are none, with the text', async () => {
    const folder = model(
      states.map((state, row) => (row === vocabulary.indexOf('bread') ? state.map(() => Number.NaN) : state)),
    )
    const embedder = await open({ model: folder })
    await expect(embedder.embed(['the ship', 'bread'])).rejects.toThrow(
      `${folder}: the model gives a vector that holds a number that is not finite to the text "bread"`,
    )
    await expect(open({ model: folder, maxTokens: 32 })).rejects.toThrow(
      `${folder}: the model gives most words the same tokens (5 different tokens in 38 words)`,
    )
  })

  test('one thread embeds any number of texts by itself', async () => {
    const embedder = await open({ model: model() })
    expect(await embedder.embed(new Array(32).fill('bread'))).toHaveLength(32 * DIMS)
    const threads = await open({ model: model(), workers: 2 })
    expect(await threads.embed(TEXTS)).toEqual(await embedder.embed(TEXTS))
  })

  test('a stop keeps the texts before it, but no tokens of some texts only', async () => {
    const embedder = await open({ model: model() })
    try {
      expect(await embedder.embed(TEXTS, () => requestStop(true))).toHaveLength(DIMS)
      requestStop(false)
      await expect(embedder.tokens?.(TEXTS, () => requestStop(true))).rejects.toThrow(Stopped)
    } finally {
      requestStop(false)
    }
  })

  test('takes pooling and prefix from the files, unless they are given', () => {
    const folder = model()
    mkdirSync(join(folder, '1_Pooling'))
    writeFileSync(join(folder, '1_Pooling/config.json'), '{"pooling_mode_cls_token": true}')
    writeFileSync(join(folder, 'config_sentence_transformers.json'), '{"prompts": {"query": "Q "}}')
    const pinned = (given = {}) => transformersEmbedder.pin?.(parse({ model: folder, ...given }))
    expect(pinned()).toMatchObject({ pooling: 'cls', prefix: { query: 'Q ', passage: '' } })
    const own = { pooling: 'mean', prefix: { query: 'q', passage: 'p' } }
    expect(pinned(own)).toMatchObject(own)
  })

  test('takes 1 to 256 threads', () => {
    expect(
      [0, 1, 256, 257].map(
        (workers) => transformersEmbedder.params.safeParse({ model: 'm', workers }).success,
      ),
    ).toEqual([false, true, true, false])
  })
})
