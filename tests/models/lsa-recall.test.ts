import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { denseIndex } from '../../src/corpus/dense/dense.ts'
import { embedder } from '../../src/corpus/dense/embeddings.ts'
import { openStore } from '../../src/store/store.ts'
import { corpusOf, meanRecall } from '../corpus/corpora.ts'
import { describeShared } from '../shared.ts'

const root = mkdtempSync(join(tmpdir(), 'lsa-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

describeShared('lsa on real passages', () => {
  it('finds what it is known to find on claude-docs-100 (recall@5 .69 or more)', async () => {
    const { dataset, recipe } = await corpusOf('claude-docs-100')
    const store = openStore(root)
    await store.prepare(denseIndex(recipe))
    const { embed, dims } = await store.open(embedder(recipe))
    const vectors = await embed(dataset.queries.map(({ text }) => text))
    const block = dataset.queries.map((_, place) => vectors.subarray(place * dims, (place + 1) * dims))
    const rankings = (await store.open(denseIndex(recipe))).search(block, 5)
    expect(meanRecall(dataset, rankings)).toBeGreaterThanOrEqual(0.69)
  })
})
