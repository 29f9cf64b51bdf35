import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Embedder } from '../../src/models/embedder.ts'
import { cachingEmbedder, openVectorCache, textHash } from '../../src/models/vector-cache.ts'
import { temporaryFolder } from '../temporary.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

/** Two numbers that no other text has; remembers what it was asked for, breaks where told. */
function counting(breakAt = Number.POSITIVE_INFINITY) {
  const requests: string[] = []
  const embedder: Embedder = {
    model: 'counting',
    dims: 2,
    async embed(texts) {
      for (const text of texts) {
        if (requests.length === breakAt) throw new Error('the power went out')
        requests.push(text)
      }
      return Float32Array.from(texts.flatMap((text) => [text.length, text.charCodeAt(0) / 3]))
    },
  }
  return { asked: requests, embedder }
}

const texts = Array.from({ length: 50 }, (_, i) => `text ${i % 40} ${'x'.repeat(i % 40)}`)
const open = async (embedder: Embedder, batch = 8) =>
  cachingEmbedder(await openVectorCache(folder), async () => embedder, { texts: batch, atOnce: 1 })

describe('an embedder that keeps its vectors', () => {
  it('embeds nothing again, in this process or the next, and opens no model for it', async () => {
    const first = await (await open(counting().embedder)).embed(texts)
    const closed = async (): Promise<Embedder> => {
      throw new Error('the model was opened')
    }
    const again = await cachingEmbedder(await openVectorCache(folder), closed, { texts: 8, atOnce: 1 })
    expect(await again.embed(texts)).toEqual(first)
    expect(await again.embed([...texts].reverse().slice(3))).toHaveLength(47 * 2)
    expect([again.model, again.dims]).toEqual(['counting', 2])
    await expect(again.embed(['new'])).rejects.toThrow('opened')
  })

  it('goes on where it was stopped', async () => {
    const broken = counting(21)
    await expect((await open(broken.embedder)).embed(texts)).rejects.toThrow('power')
    writeFileSync(join(folder, '99.0.tmp'), 'half a part')
    const { asked, embedder } = counting()
    const vectors = await (await open(embedder)).embed(texts)
    expect(asked).toEqual([...new Set(texts)].slice(16))
    expect(vectors).toEqual(await counting().embedder.embed(texts))
  })

  it('writes the same bytes for the same texts', async () => {
    await (await open(counting().embedder)).embed(texts)
    const bytes = () =>
      readdirSync(folder)
        .sort()
        .map((file) => readFileSync(join(folder, file), 'hex'))
    const before = bytes()
    rmSync(folder, { recursive: true })
    await (await open(counting().embedder)).embed(texts)
    expect(bytes()).toEqual(before)
    expect(before).toHaveLength(5)
  })

  it.each([
    { model: 'other', dims: 2 },
    { model: 'counting', dims: 3 },
  ])('keeps no vectors of $model with $dims numbers beside its own', async (source) => {
    const cache = await openVectorCache(folder)
    cache.put([textHash('a')], Float32Array.of(1, 2), { model: 'counting', dims: 2 })
    const vectors = new Float32Array(source.dims)
    expect(() => cache.put([textHash('b')], vectors, source)).toThrow(
      `vectors of ${source.model} among those of counting`,
    )
    expect([cache.has(textHash('b')), cache.source()]).toEqual([false, { model: 'counting', dims: 2 }])
    // Another process kept some of another model meanwhile.
    const meanwhile = temporaryFolder()
    const other = await openVectorCache(meanwhile)
    other.put([textHash('b')], vectors, source)
    const [file] = readdirSync(meanwhile)
    writeFileSync(join(folder, file), readFileSync(join(meanwhile, file)))
    await expect(openVectorCache(folder)).rejects.toThrow('holds vectors of another model')
    await expect(cache.get(textHash('c'))).rejects.toThrow('no vector')
  })

  it.each(['hash', 'vector'])('gives no vector of a part where a %s was altered', async (part) => {
    await (await open(counting().embedder)).embed(texts)
    const path = join(folder, readdirSync(folder)[0])
    const bytes = readFileSync(path)
    const [, number] = await counting().embedder.embed([texts[0]])
    const vector = bytes.indexOf(Buffer.from(Float32Array.of(number).buffer))
    bytes[part === 'hash' ? 40 : vector] ^= 1
    writeFileSync(path, bytes)
    await expect(open(counting().embedder)).rejects.toThrow('altered')
  })
})
