import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { chunkTexts } from '../../src/corpus/corpus.ts'
import { embedder, embedTexts, givenTexts, missingTexts } from '../../src/corpus/dense/embeddings.ts'
import type { Recipe } from '../../src/corpus/recipe.ts'
import { openStore } from '../../src/store/store.ts'
import { readTable } from '../../src/tables/parquet.ts'
import type { Json } from '../../src/types.ts'
import { fakeServer } from '../models/fake-server.ts'
import { temporaryFolder } from '../temporary.ts'
import { documentsOf, recipeOf } from './recipes.ts'

let root: string
beforeEach(() => {
  root = temporaryFolder()
})

const texts = [
  'The ship left the harbour in a storm.',
  'A storm broke the mast of the ship.',
  'Bread is baked from flour and water.',
  'The baker sold bread and flour.',
  'A telescope shows the moon and stars.',
  'The observatory bought a telescope.',
  'The ship left the harbour in a storm.',
  'Stars guide a ship at night.',
  'Flour mills stood by the harbour.',
]
const recipe = recipeOf(documentsOf(texts))
const embeddings = embedTexts(recipe, 'chunks', chunkTexts(recipe))

describe('embeddings', () => {
  it('are one vector a text, in order, equal for equal texts', async () => {
    const store = openStore(root)
    await store.prepare(chunkTexts(recipe))
    expect(await missingTexts(store, embeddings)).toEqual([...new Set(texts)])
    await store.prepare(embeddings)
    const { vectors, dims, model } = await openStore(root).open(embeddings)
    expect(vectors).toHaveLength(texts.length)
    expect(model).toBe(`lsa (${dims} dims)`)
    expect(vectors[0]).toEqual(vectors[6])
    const single = await (await store.open(embedder(recipe))).embed([texts[4]])
    expect(vectors[4]).toEqual(new Uint8Array(single.buffer))
  })

  it('are kept in a folder for each embedder, by the SHA-256 of their text', async () => {
    const store = openStore(root)
    for (const params of [{ dims: 3 }, { dims: 4 }]) {
      const recipe = recipeOf(documentsOf(texts), { name: 'lsa', params })
      await store.prepare(embedTexts(recipe, 'chunks', chunkTexts(recipe)))
    }
    const folders = readdirSync(join(root, 'vectors'))
    const stores = await Promise.all(
      folders.map(async (name) => {
        const files = readdirSync(join(root, 'vectors', name))
        const tables = await Promise.all(files.map((file) => readTable(join(root, 'vectors', name, file))))
        return {
          dims: tables[0].metadata.get('dim'),
          hashes: tables.flatMap((table) => table.strings('hash')).sort(),
        }
      }),
    )
    const hashes = [...new Set(texts)].map((text) =>
      createHash('sha256').update(text).digest('hex').slice(0, 32),
    )
    hashes.sort()
    expect(stores.sort((a, b) => Number(a.dims) - Number(b.dims))).toEqual([
      { dims: '3', hashes },
      { dims: '4', hashes },
    ])
  })

  it('of queries and passages go to a server with the prefix or the type of their role; a cut embeds nothing anew', async () => {
    const server = await fakeServer((_, { body }) => ({
      json: { data: body.input.map((text: string) => ({ embedding: [text.length, 1, 2] })) },
    }))
    const over = (params: Record<string, Json>) =>
      recipeOf(documentsOf(['one', 'three'], 't'), {
        name: 'openai-compatible',
        params: { baseUrl: server.baseUrl, model: 'x', ...params },
      })
    const store = openStore(root)
    const prefix = { query: 'query: ', passage: 'passage: ' }
    const inputType = { query: 'search_query', passage: 'search_document' }
    const prepare = async (recipe: Recipe) => {
      const before = server.asked.length
      const chunks = embedTexts(recipe, 'chunks', chunkTexts(recipe))
      const queries = embedTexts(recipe, 'queries', givenTexts(['who']), recipe.embedder, 'query')
      await store.prepare(chunkTexts(recipe))
      const missing = await missingTexts(store, chunks)
      for (const artifact of [chunks, queries]) await store.prepare(artifact)
      expect(await missingTexts(store, queries)).toHaveLength(0)
      const requests = server.asked.slice(before).map(({ body }) => [body.input, body.input_type])
      const sent = requests.filter(([input]) => input[0] !== 'dims')
      return { sent, missing: missing.length, dims: (await store.open(chunks)).dims }
    }
    const sent = [
      [['passage: t\none', 'passage: t\nthree'], undefined],
      [['query: who'], undefined],
    ]
    expect(await prepare(over({ prefix }))).toEqual({ sent, missing: 2, dims: 3 })
    expect(await prepare(over({ prefix, cut: 2 }))).toEqual({ sent: [], missing: 0, dims: 2 })
    expect((await prepare(over({ inputType }))).sent).toEqual([
      [['t\none', 't\nthree'], 'search_document'],
      [['who'], 'search_query'],
    ])
    expect((await prepare(over({ model: 'multilingual-e5-small' }))).sent).toEqual(sent)
  })
})
