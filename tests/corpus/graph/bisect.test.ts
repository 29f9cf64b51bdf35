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
          const vectors = items.map((one) => one.vector)
          const lengths = items.map((one) => one.tokens)
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

  it('finds groups that lie apart, whatever the seed', () => {
    const near = (axis: number) => (i: number) => {
      const values = [0.05 * (i % 3), 0.04 * (i % 2), 0.03]
      values[axis] = 1
      return unit(values)
    }
    const groups = [0, 1].map((axis) => Array.from({ length: 6 }, (_, i) => near(axis)(i)))
    // Every other of one group, then of the other.
    const vectors = groups[0].flatMap((one, i) => [one, groups[1][i]])
    for (let seed = 0; seed < 20; seed++)
      expect(bisect(vectors, new Uint32Array(12), { size: 6, tokens: 100, seed })).toEqual([
        [0, 2, 4, 6, 8, 10],
        [1, 3, 5, 7, 9, 11],
      ])
  })
})
