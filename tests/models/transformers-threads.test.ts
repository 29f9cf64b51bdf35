import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { transformersEmbedder } from '../../src/models/embedders/transformers.ts'
import { describeShared, shared } from '../shared.ts'

// Worker threads run compiled files only: `npm test` builds them first.
const BUILT = resolve(import.meta.dirname, '../../dist/models/embedders/transformers.js')

describeShared('transformers over worker threads', () => {
  it.skipIf(!existsSync(BUILT))(
    'gives the bits of one thread, in order, and tells how far it is',
    async () => {
      const built = (await import(pathToFileURL(BUILT).href)) as {
        transformersEmbedder: typeof transformersEmbedder
      }
      const corpus = { terms: () => expect.fail() }
      const open = (definition: typeof transformersEmbedder, workers: number) => {
        const params = definition.params.parse({ model: shared('models', 'all-MiniLM-L6-v2'), workers })
        return definition.artifact(params, corpus).open('', {})
      }
      const texts = Array.from({ length: 40 }, (_, i) => `passage ${i} of ${'several '.repeat(i % 5)}words`)
      const heard: number[] = []
      const threaded = await open(built.transformersEmbedder, 2)
      const vectors = await threaded.embed(texts, (done, total) => {
        heard.push(done)
        expect(total).toBe(40)
      })
      expect(vectors).toEqual(await (await open(transformersEmbedder, 1)).embed(texts))
      expect(heard).toEqual([8, 16, 24, 32, 40])
    },
  )
})
