import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Embedder } from '../../src/models/embedder.ts'
import openaiCompatibleEmbedder from '../../src/models/embedders/openai-compatible.ts'
import { cachingEmbedder, openVectorCache, partsOf } from '../../src/models/vector-cache.ts'
import { temporaryFolder } from '../temporary.ts'
import { fakeServer } from './fake-server.ts'

const texts = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1))

/** The embedder, whose vectors hold a text's number, with its stored vectors, over a server that answers a request once `release` calls for it. */
async function setUp(
  limits: { readonly concurrency: number; readonly textsPerRequest: number },
  release: (waiting: ((status?: number) => void)[], asked: number) => void,
) {
  const folder = temporaryFolder()
  const waiting: ((status?: number) => void)[] = []
  const { asked, baseUrl } = await fakeServer((n, { body }) => (response) => {
    const data = body.input.map((text: string, index: number) => ({ index, embedding: [Number(text), 1] }))
    waiting.push((status = 200) => response.writeHead(status).end(JSON.stringify({ data })))
    release(waiting, n)
  })
  const params = openaiCompatibleEmbedder.params.parse({ baseUrl, model: 'm', dims: 2, ...limits })
  const { batch, requests, artifact } = openaiCompatibleEmbedder.make(params)
  const { open } = artifact(undefined as never)
  const embedder = await cachingEmbedder(
    await openVectorCache(folder),
    async () => (await open('', {} as never)) as Embedder,
    partsOf(batch, requests),
  )
  return { asked, embedder, folder }
}

it('stores each part when it is complete, and begins no request after one that failed', async () => {
  const { asked, embedder, folder } = await setUp({ concurrency: 2, textsPerRequest: 256 }, (waiting, n) => {
    // The third is still under way when the fourth is refused.
    if (n < 3) waiting.shift()?.()
    if (n === 4) waiting.pop()?.(401)
  })
  await expect(embedder.embed(texts(4096))).rejects.toThrow('401')
  expect([asked.length, readdirSync(folder).length]).toEqual([4, 2])
})
