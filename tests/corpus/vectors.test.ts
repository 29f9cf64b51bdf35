import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openVectors } from '../../src/corpus/dense/vectors.ts'
import { maskOf } from '../../src/ranking/mask.ts'
import { head } from '../../src/ranking/order.ts'
import { rowCount } from '../../src/tables/column.ts'
import type { Ranking } from '../../src/types.ts'
import { plainSearch } from './plain-vectors.ts'

/** Rows from a small palette of vectors, so that ties, duplicates, zero rows and near-equal scores are common. */
const worlds = fc
  .record({
    dims: fc.constantFrom(1, 3, 16, 17, 40, 64),
    seed: fc.integer({ min: 1, max: 2 ** 31 }),
    rows: fc.integer({ min: 0, max: 120 }),
    palette: fc.integer({ min: 1, max: 40 }),
    noise: fc.constantFrom(0, 1e-7, 1e-4, 1e-2, 1),
    queries: fc.integer({ min: 0, max: 9 }),
  })
  .map(({ dims, seed, rows, palette, noise, queries }) => {
    let state = seed >>> 0
    const next = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state / 2 ** 32
    }
    const random = () => Float32Array.from({ length: dims }, () => next() - 0.5)
    const normal = (x: Float32Array) => {
      const length = Math.hypot(...x)
      return length === 0 ? x : x.map((value) => value / length)
    }
    const colours = Array.from({ length: palette }, (_, i) =>
      i % 7 === 6 ? new Float32Array(dims) : random(),
    )
    const draw = () => {
      const colour = colours[Math.floor(next() * palette)]
      if (colour.every((x) => x === 0)) return colour
      return normal(colour.map((x) => x + noise * (next() - 0.5)))
    }
    const matrix = new Float32Array(rows * dims)
    for (let row = 0; row < rows; row++) matrix.set(draw(), row * dims)
    return { dims, rows, matrix, vectors: Array.from({ length: queries }, draw) }
  })

describe('vectors', () => {
  it('finds what a plain loop finds, bit for bit, alone and in a block, above a bound', () => {
    fc.assert(
      fc.property(worlds, fc.integer({ min: 0, max: 130 }), (world, depth) => {
        const { dims, matrix, vectors } = world
        const index = openVectors(rowCount(matrix, dims), dims)
        for (const above of [undefined, 0, 0.3, 0.9]) {
          const block = index.search(vectors, depth, { above })
          vectors.forEach((vector, place) => {
            const plain = plainSearch(matrix, dims, vector, depth)
            const count = plain.scores.filter((score) => above === undefined || score > above).length
            expect(block[place]).toEqual(head(plain, count))
            expect(index.search([vector], depth, { above })[0]).toEqual(block[place])
          })
        }
      }),
      { numRuns: 120 },
    )
  })

  it('searches some rows as if there were no others, few or many, bit for bit', () => {
    fc.assert(
      fc.property(worlds, fc.constantFrom(0, 1, 2, 3, 40), fc.nat(130), (world, every, depth) => {
        const { dims, rows, matrix, vectors } = world
        const index = openVectors(rowCount(matrix, dims), dims)
        const mask = maskOf(
          Uint8Array.from({ length: rows }, (_, row) => (every > 0 && row % every === 0 ? 1 : 0)),
        )
        const subset = new Float32Array(mask.rows.length * dims)
        mask.rows.forEach((row, i) => {
          subset.set(index.vector(row), i * dims)
        })
        const alone = openVectors(rowCount(subset, dims), dims)
        const placed = ({ rows, scores }: Ranking) => ({ rows: rows.map((row) => mask.rows[row]), scores })
        for (const above of [undefined, 0.3])
          expect(index.search(vectors, depth, { above, within: mask })).toEqual(
            alone.search(vectors, depth, { above }).map(placed),
          )
        expect(index.hasZeros(mask)).toBe(alone.hasZeros())
        expect(index.searchWithMin(vectors, depth, { within: mask })).toEqual(
          alone.searchWithMin(vectors, depth).map(({ ranking, min }) => ({ ranking: placed(ranking), min })),
        )
      }),
      { numRuns: 150 },
    )
  })
})
