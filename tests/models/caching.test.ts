import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cachingEmbedder } from '../../src/models/caching.ts'
import type { Embedder } from '../../src/models/embedder.ts'
import { openVectorCache } from '../../src/models/vector-cache.ts'
import { readTable, writeTable } from '../../src/tables/parquet.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vectors-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Two numbers that no other text has; remembers what it was asked for, breaks where told. */
function counting(breakAt = Number.POSITIVE_INFINITY) {
  const asked: string[] = []
  const embedder: Embedder = {
    model: 'counting',
    dims: 2,
    async embed(texts) {
      for (const text of texts) {
        if (asked.length === breakAt) throw new Error('the power went out')
        asked.push(text)
      }
      return Float32Array.from(texts.flatMap((text) => [text.length, text.charCodeAt(0) / 3]))
    },
  }
  return { asked, embedder }
}

const texts = Array.from({ length: 50 }, (_, i) => `text ${i % 40} ${'x'.repeat(i % 40)}`)
const open = async (embedder: Embedder, batch = 8) =>
  cachingEmbedder(await openVectorCache(folder), async () => embedder, batch)

describe('an embedder that keeps its vectors', () => {
  it('embeds equal texts once and gives what the model gives', async () => {
    const { asked, embedder } = counting()
    const expected = await counting().embedder.embed(texts)
    expect(await (await open(embedder)).embed(texts)).toEqual(expected)
    expect(asked).toEqual([...new Set(texts)])
  })

  it('embeds nothing again, in this process or the next, and opens no model for it', async () => {
    const first = await (await open(counting().embedder)).embed(texts)
    const closed = async (): Promise<Embedder> => {
      throw new Error('the model was opened')
    }
    const again = await cachingEmbedder(await openVectorCache(folder), closed, 8)
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

  it('embeds only what changed', async () => {
    await (await open(counting().embedder)).embed(texts)
    const { asked, embedder } = counting()
    await (await open(embedder)).embed(['new', ...texts, 'newer'])
    expect(asked).toEqual(['new', 'newer'])
  })

  it('tells how far it is, of what really must be embedded', async () => {
    await (await open(counting().embedder)).embed(texts.slice(0, 10))
    const heard: string[] = []
    await (await open(counting().embedder, 20)).embed(texts, (done, total) => heard.push(`${done}/${total}`))
    expect(heard).toEqual(['0/30', '20/30', '30/30'])
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

  it.each(['hash', 'vector'])('gives no vector of a part where a %s was altered', async (what) => {
    await (await open(counting().embedder)).embed(texts)
    const path = join(folder, readdirSync(folder)[0])
    const bytes = readFileSync(path)
    const [, number] = await counting().embedder.embed([texts[0]])
    const vector = bytes.indexOf(Buffer.from(Float32Array.of(number).buffer))
    bytes[what === 'hash' ? 40 : vector] ^= 1
    writeFileSync(path, bytes)
    await expect((await open(counting().embedder)).embed(texts)).rejects.toThrow('altered')
  })

  it('believes no part about the others', async () => {
    await (await open(counting().embedder)).embed(texts)
    const [first, ...others] = readdirSync(folder).sort()
    const table = await readTable(join(folder, first))
    const dims = { dim: '1', model: 'counting', normalized: 'true' }
    const vectors = { name: 'vector', type: 'vectors', values: table.vectors('vector'), dims: 2 } as const
    const hashes = table.strings('hash')
    writeTable(join(folder, first), [{ name: 'hash', type: 'string', values: hashes }, vectors], dims)
    const cache = await openVectorCache(folder)
    const kept = (await readTable(join(folder, others[0]))).strings('hash')
    await expect(cache.get(hashes[0])).rejects.toThrow('altered')
    await expect(cache.get(kept[0])).rejects.toThrow('another model')
  })
})
