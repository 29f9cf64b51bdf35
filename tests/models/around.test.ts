import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutVectors, type Embedder, wrapEmbedder } from '../../src/models/embedder.ts'

/** Remembers what it was asked for. */
function listening() {
  const heard: string[] = []
  const embedder: Embedder = {
    model: 'm',
    dims: 3,
    async embed(texts) {
      heard.push(...texts)
      return Float32Array.from(texts.flatMap(() => [0.6, 0, 0.8]))
    },
  }
  return { heard, embedder }
}

describe('around an embedder', () => {
  test('each role has its own prefix', async () => {
    const { heard, embedder } = listening()
    const prefix = { query: 'query: ', passage: '' }
    await wrapEmbedder(embedder, { prefix }, 'query').embed(['a'])
    await wrapEmbedder(embedder, { prefix }, 'passage').embed(['a'])
    expect(heard).toEqual(['query: a', 'a'])
  })

  test('vectors are cut and of length 1 again; zeros stay zeros', async () => {
    const { embedder } = listening()
    const cut = wrapEmbedder(embedder, { cut: 2 }, 'query')
    expect(cut.dims).toBe(2)
    expect(await cut.embed(['a', 'b'])).toEqual(Float32Array.of(1, 0, 1, 0))
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 4, maxLength: 4 }), { maxLength: 5 }),
        fc.integer({ min: 1, max: 4 }),
        (rows, dims) => {
          const cut = cutVectors(Float32Array.from(rows.flat()), 4, dims)
          rows.forEach((row, i) => {
            const first = row.slice(0, dims)
            const length = Math.hypot(...first)
            first.forEach((value, j) => {
              expect(cut[i * dims + j]).toBeCloseTo(length === 0 ? 0 : value / length, 6)
            })
          })
        },
      ),
    )
  })
})
