import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeRecording } from '../../scripts/recording/write.ts'
import { analyzer, termCounts } from '../../src/corpus/lexical/term-counts.ts'
import { loadCustom } from '../../src/custom/load.ts'
import type { Embedder } from '../../src/models/embedder.ts'
import { type EmbedderPart, embedders } from '../../src/models/embedders/index.ts'
import { hasTransformers } from '../../src/models/transformers/local-params.ts'
import { customEmbedder } from '../../src/retrieve/custom/kinds.ts'
import { openStore } from '../../src/store/store.ts'
import { documentsOf, recipeOf } from '../corpus/recipes.ts'
import { vocabularyOf, writeEmbeddingModel } from '../fixtures/tiny-models.ts'
import { temporaryFolder } from '../temporary.ts'
import { type Asked, fakeServer } from './fake-server.ts'

/** Every embedder, the built-in ones and one in a file, opened over a small world: what steps and stores rely on. */

const TEXTS = ['the ship left the harbour', 'a storm broke the mast', 'bread', 'the ship left the harbour']
/** A text that an embedder gives an error for, if there is one. */
const WRONG = 'nobody knows this'

interface Setting {
  readonly part: EmbedderPart
  readonly params: object
  /** Part of the message of an error about `WRONG`; undefined if any text is embedded. */
  readonly names?: string
}

const builtIn = (name: string) => embedders.all.find((part) => part.name === name) as EmbedderPart

/** Three numbers of a text, of any length. */
const numbersOf = (text: string) => [text.length, text.charCodeAt(0), 2]

const SETTINGS: Readonly<Record<string, () => Promise<Setting>>> = {
  lsa: async () => ({ part: builtIn('lsa'), params: { dims: 3 } }),
  async transformers() {
    const folder = join(temporaryFolder(), 'tiny')
    const vocabulary = vocabularyOf(TEXTS)
    writeEmbeddingModel(
      folder,
      vocabulary,
      vocabulary.map((_, row) => [row % 5, 1 + (row % 3), (row * 7) % 11, 1]),
    )
    const params = { model: folder, dtype: 'fp32', workers: 1, maxTokens: 31 }
    return { part: builtIn('transformers'), params }
  },
  async recorded() {
    const path = join(temporaryFolder(), 'recorded.parquet')
    const texts = [...new Set(TEXTS)]
    const vectors = Float32Array.from(
      texts.flatMap((text) => numbersOf(text).map((value) => value / Math.hypot(...numbersOf(text)))),
    )
    const about = { model: 'm', modelSha256: 'abc', date: '2026-11-22', dims: 3, dtype: 'float32' } as const
    writeRecording(path, { ...about, texts, vectors })
    return { part: builtIn('recorded'), params: { path }, names: path }
  },
  async 'openai-compatible'() {
    const { baseUrl } = await fakeServer((_, { body }: Asked) =>
      body.input.includes(WRONG)
        ? { status: 401, json: 'no' }
        : { json: { data: body.input.map((text: string) => ({ embedding: numbersOf(text) })) } },
    )
    return { part: builtIn('openai-compatible'), params: { baseUrl, model: 'm' }, names: baseUrl }
  },
  async custom() {
    const code = `export default ({ z }) => ({ name: 'mine', summary: 's', params: z.strictObject({}),
      make: () => ({ embed(texts) {
        if (texts.includes('${WRONG}')) throw new Error('no')
        return texts.map((text) => [text.length, text.charCodeAt(0), 2])
      } }) })`
    const path = join(temporaryFolder({ 'mine.mjs': code }), 'mine.mjs')
    return { part: await loadCustom(path, customEmbedder), params: {}, names: path }
  },
}

async function open({ part, params }: Setting): Promise<Embedder> {
  const recipe = recipeOf(documentsOf(TEXTS))
  const corpus = { terms: () => ({ counts: termCounts(recipe), analyze: analyzer(recipe) }) }
  const artifact = part.make(part.params.parse(params)).artifact(corpus)
  const store = openStore(temporaryFolder())
  await store.prepare(artifact)
  return store.open(artifact)
}

test('every embedder of the list has a setting here', () => {
  expect(Object.keys(SETTINGS).sort()).toEqual([...embedders.all.map(({ name }) => name), 'custom'].sort())
})

const runnable = Object.entries(SETTINGS).filter(([name]) => name !== 'transformers' || hasTransformers())

describe.each(runnable)('%s', (_, setting) => {
  test('gives finite vectors of its length, of length 1 or zero, the same for a text in any batch', async () => {
    const embedder = await open(await setting())
    expect(embedder.model).not.toBe('')
    expect(embedder.dims).toBeGreaterThan(0)
    const { dims } = embedder
    const vectors = await embedder.embed(TEXTS)
    expect(vectors).toBeInstanceOf(Float32Array)
    expect(vectors).toHaveLength(TEXTS.length * dims)
    const rowOf = (row: number) => vectors.slice(row * dims, (row + 1) * dims)
    for (const [row, text] of TEXTS.entries()) {
      const size = Math.hypot(...rowOf(row))
      if (size !== 0) expect(size).toBeCloseTo(1, 5)
      expect(await embedder.embed([text])).toEqual(rowOf(row))
    }
    expect(rowOf(3)).toEqual(rowOf(0))
    expect(rowOf(1)).not.toEqual(rowOf(0))
    expect(await embedder.embed([...TEXTS].reverse())).toEqual(
      Float32Array.from([3, 2, 1, 0].flatMap((row) => [...rowOf(row)])),
    )
  })

  test('gives no vectors for no texts', async () => {
    expect(await (await open(await setting())).embed([])).toEqual(new Float32Array(0))
  })

  test('names itself by its file or address in an error', async () => {
    const { names, ...rest } = await setting()
    const embedder = await open(rest)
    if (names === undefined) expect(await embedder.embed([WRONG])).toHaveLength(embedder.dims)
    else await expect(embedder.embed([TEXTS[0], WRONG])).rejects.toThrow(names)
  })
})
