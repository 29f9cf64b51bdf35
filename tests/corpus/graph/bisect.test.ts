import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bisect } from '../../../src/corpus/summaries/bisect.ts'

const unit = (values: readonly number[]): Float32Array => {
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => (length === 0 ? 0 : value / length))
}

const vector = fc
  .array(fc.integer({ min: -3, max: 3 }), { minLength: 3, maxLength: 3 })
  .map((values) => unit(values))
const item = fc.record({ vector, tokens: fc.integer({ min: 0, max: 50 }) })

describe('bisecting k-means', () => {
  it('puts each text into one cluster, small enough and of two at least, the same each time', () => {
    fc.assert(
      fc.property(
        fc.array(item, { minLength: 2, maxLength: 40 }),
        fc.integer({ min: 4, max: 12 }),
        fc.integer({ min: 10, max: 200 }),
        fc.integer({ min: 0, max: 9 }),
        (items, size, tokens, seed) => {
          const vectors = items.map((item) => item.vector)
          const lengths = items.map((item) => item.tokens)
          const clusters = bisect(vectors, lengths, { size, tokens, seed })
          expect(clusters.flat().sort((a, b) => a - b)).toEqual(items.map((_, row) => row))
          for (const members of clusters) {
            expect(members.length).toBeGreaterThanOrEqual(2)
            expect(members.length).toBeLessThanOrEqual(size)
            expect(members).toEqual([...members].sort((a, b) => a - b))
            const sum = members.reduce((all, row) => all + lengths[row], 0)
            if (members.length >= 4) expect(sum).toBeLessThanOrEqual(tokens)
          }
          const firsts = clusters.map(([first]) => first)
          expect(firsts).toEqual([...firsts].sort((a, b) => a - b))
          expect(bisect(vectors, lengths, { size, tokens, seed })).toEqual(clusters)
        },
      ),
    )
  })
})
