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

  it('cuts where each text is nearer to the centre of its own side, unless a side would be too small', () => {
    const random = fc.array(
      fc
        .array(fc.integer({ min: -9, max: 9 }), { minLength: 3, maxLength: 3 })
        .filter((values) => values.some(Boolean)),
      { minLength: 6, maxLength: 14 },
    )
    fc.assert(
      fc.property(random, fc.integer({ min: 0, max: 9 }), (values, seed) => {
        const vectors = values.map(unit)
        const most = vectors.length - 1
        const clusters = bisect(vectors, new Uint32Array(vectors.length), { size: most, tokens: 1, seed })
        expect(clusters).toHaveLength(2)
        const centres = clusters.map((rows) =>
          unit([0, 1, 2].map((axis) => rows.reduce((sum, row) => sum + vectors[row][axis], 0))),
        )
        const near = (row: number, side: number) =>
          vectors[row].reduce((sum, value, axis) => sum + value * centres[side][axis], 0)
        if (clusters.some(({ length }) => length === 2)) return
        for (const [side, rows] of clusters.entries())
          for (const row of rows) expect(near(row, side)).toBeGreaterThanOrEqual(near(row, 1 - side) - 1e-6)
      }),
    )
  })

  it('draws in the order of the clusters, so that a seed is the same tree on every machine', () => {
    const vectors = Array.from({ length: 24 }, (_, i) =>
      unit([((i * 7) % 11) - 5, ((i * 5) % 13) - 6, ((i * 3) % 7) - 3]),
    )
    const drawn = (seed: number) => bisect(vectors, new Uint32Array(24), { size: 5, tokens: 1, seed })
    expect(drawn(4)).toEqual([
      [0, 21],
      [1, 3, 6, 14, 17],
      [2, 15, 18, 20, 23],
      [4, 9],
      [5, 7, 10, 12],
      [8, 11, 13, 16],
      [19, 22],
    ])
    expect(drawn(5)).toEqual([
      [0, 8, 11, 16],
      [1, 6, 14],
      [2, 4, 18, 20, 23],
      [3, 13, 21],
      [5, 7, 10, 15],
      [9, 12, 17],
      [19, 22],
    ])
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

  it.each([
    ['equal', [1, 0]],
    ['empty', [0, 0]],
  ])('cuts %s vectors in their order', (_, values) => {
    const vectors = Array.from({ length: 6 }, () => unit(values))
    expect(bisect(vectors, new Uint32Array(6), { size: 4, tokens: 9, seed: 0 })).toEqual([
      [0, 1, 2, 3],
      [4, 5],
    ])
  })

  it('has one cluster of few, and none of nothing', () => {
    expect(bisect([unit([1, 0])], [1], { size: 4, tokens: 10, seed: 0 })).toEqual([[0]])
    const four = [0, 1, 2, 3].map((x) => unit([x, 1]))
    const cut = (tokens: number) => bisect(four, [5, 0, 3, 2], { size: 4, tokens, seed: 0 })
    expect([cut(10).length, cut(9).length]).toEqual([1, 2])
    expect(bisect([], [], { size: 4, tokens: 10, seed: 0 })).toEqual([])
    const vectors = [unit([1, 0]), unit([0, 1]), unit([1, 1])]
    expect(bisect(vectors, [100, 100, 100], { size: 4, tokens: 10, seed: 0 })).toEqual([[0, 1, 2]])
  })
})
