import { expect, it } from 'vitest'
import transformersEmbedder from '../../src/models/embedders/transformers.ts'
import { describeSharedModels, shared } from '../shared.ts'

describeSharedModels('transformers over worker threads', () => {
  it('gives the bits of one thread, in order, and tells how far it is', async () => {
    const corpus = { terms: () => expect.fail() }
    const open = (workers: number) => {
      const params = transformersEmbedder.params.parse({
        model: shared('models', 'all-MiniLM-L6-v2'),
        workers,
      })
      return transformersEmbedder.make(params).artifact(corpus).open('', {})
    }
    const texts = Array.from({ length: 40 }, (_, i) => `passage ${i} of ${'several '.repeat(i % 5)}words`)
    const counts: number[] = []
    const threaded = await open(2)
    const vectors = await threaded.embed(texts, (done, total) => {
      counts.push(done)
      expect(total).toBe(40)
    })
    expect(vectors).toEqual(await (await open(1)).embed(texts))
    expect(counts).toEqual([8, 16, 24, 32, 40])
  })
})
