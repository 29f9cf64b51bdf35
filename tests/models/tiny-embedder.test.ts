import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { UserError } from '../../src/errors.ts'
import type { Embedder } from '../../src/models/embedder.ts'
import { transformersEmbedder } from '../../src/models/embedders/transformers.ts'
import { openModel, openReader } from '../../src/models/transformers/open.ts'
import { inTasks } from '../../src/models/transformers/pool.ts'
import { embedUntilStopped, openModelSession } from '../../src/models/transformers/session.ts'
import { requestStop, Stopped } from '../../src/stopping.ts'
import { vocabularyOf, wordsOf, writeEmbeddingModel } from '../fixtures/tiny-models.ts'
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

  test('gives the state of the first token, if that is its pooling', async () => {
    const embedder = await open({ model: model(), pooling: 'cls' })
    const vectors = await embedder.embed(['bread'])
    expectNear(vectors, unit(states[vocabulary.indexOf('[CLS]')]))
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
    ).toMatchObject({ pooling: 'cls', prefix: { query: 'q: ', passage: '' } })
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

  test('cuts a text before what it puts at the end, and needs room for one token', async () => {
    const options = { model: model(), dtype: 'fp32', pooling: 'mean' } as const
    const tokens = async (maxTokens: number) => {
      const session = await openModelSession({ ...options, maxTokens })
      return session.tokens(TEXTS[0]).map((id) => vocabulary[id])
    }
    expect(await tokens(7)).toEqual(['[CLS]', ...wordsOf(TEXTS[0]), '[SEP]'])
    expect(await tokens(4)).toEqual(['[CLS]', 'the', 'ship', '[SEP]'])
    expect(await tokens(3)).toEqual(['[CLS]', 'the', '[SEP]'])
    await expect(tokens(2)).rejects.toThrow(
      '`maxTokens` 2 leaves no token for the text: the model puts 2 of its own around each',
    )
    const reader = await openReader({ ...options, maxTokens: 200 }, 'tiny')
    expect(reader).toMatchObject({ model: 'tiny', limit: 128, around: 3 })
    expect([reader.count('the ship'), reader.count('the', 'ship left')]).toEqual([4, 6])
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

  test('names the file that an error is about, in the words of the library', async () => {
    const folder = model()
    const options = { model: folder, dtype: 'fp32', maxTokens: 31 } as const
    const { tried } = await openModel(options, 'AutoModel')
    const told = (error: unknown) =>
      tried(() => Promise.reject(error)).catch((one: Error) =>
        one.message.replace(`${folder}/onnx/model.onnx: cannot be used: `, ''),
      )
    const stopped = new Stopped()
    expect(await tried(() => Promise.reject(stopped)).catch((one) => one)).toBe(stopped)
    expect(await told(new UserError('ours'))).toBe('ours')
    expect(await told(new Error('a\n  b', { cause: new Error('c') }))).toBe('a b: c')
    expect(await told('a text')).toBe('a text')
    expect(await told(new Error('x'.repeat(300)))).toBe('x'.repeat(300))
    expect(await told(new Error('x'.repeat(301)))).toBe(`${'x'.repeat(300)}...`)
    writeFileSync(join(folder, 'config.json'), '{}')
    await expect(openModel(options, 'AutoModel')).rejects.toThrow(
      `${folder}/config.json: cannot be used: it names no \`model_type\``,
    )
  })

  test('one thread embeds any number of texts by itself', async () => {
    const embedder = await open({ model: model() })
    expect(await embedder.embed(new Array(32).fill('bread'))).toHaveLength(32 * DIMS)
    const threads = await open({ model: model(), workers: 2 })
    expect(await threads.embed(TEXTS)).toEqual(await embedder.embed(TEXTS))
  })

  test('a stop keeps the texts before it', async () => {
    const embedder = await open({ model: model() })
    try {
      expect(await embedder.embed(TEXTS, () => requestStop(true))).toHaveLength(DIMS)
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

describe('texts over threads', () => {
  const texts = Array.from({ length: 17 }, (_, at) => `t${at}`)
  const vectorOf = (text: string) => Float32Array.of(Number(text.slice(1)))
  const numbers = (vectors: readonly Float32Array[]) => vectors.map(([value]) => value)

  test('go out eight at a time and come back in their order, whichever task is first', async () => {
    const asked: (readonly string[])[] = []
    const told: number[] = []
    const embed = inTasks(async (some) => {
      asked.push(some)
      for (let turn = asked.length; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve))
      return some.map(vectorOf)
    })
    const found = await embed(texts, (count) => told.push(count))
    expect(asked).toEqual([texts.slice(0, 8), texts.slice(8, 16), texts.slice(16)])
    expect(told).toEqual([1, 8, 8])
    expect(numbers(found)).toEqual(texts.map((_, at) => at))
  })

  test.each([
    ['the first', { t0: 3 }, 3],
    ['the second', { t8: 1 }, 9],
    ['none', {}, 17],
  ])('end with the task that was stopped: %s', async (_, stopped, count) => {
    const embed = inTasks(async (some) => {
      const made = (stopped as Record<string, number>)[some[0]] ?? some.length
      return some.slice(0, made).map(vectorOf)
    })
    expect(numbers(await embed(texts, () => {}))).toEqual([...Array(count).keys()])
  })

  test('fail with the diagnostics of a thread once no other works', async () => {
    let working = 0
    const embed = inTasks(async ([first]) => {
      if (first === 't0') return { diagnostics: [{ message: 'the model is broken' }] }
      working++
      await new Promise((resolve) => setImmediate(resolve))
      working--
      return []
    })
    await expect(embed(texts, () => {})).rejects.toThrow(new UserError('the model is broken'))
    expect(working).toBe(0)
  })
})
