import { describe, expect, test } from 'vitest'
import { createCandidates, largestOf, quantize } from '../../src/corpus/dense/candidates.ts'

describe('a vector as integers', () => {
  test('has its largest component at the limit, and the length of the rest', () => {
    // Blocks of eight numbers, ten apart, from the second on.
    const q = new Int16Array(22).fill(-7)
    const x = Float32Array.of(3, -1.25, 0.25, 0, 0, 0, 0, 0, -2.5)
    const { scale, size, error } = quantize(x, 3, q, 1, 10)
    expect([...q]).toEqual([-7, 3, -1, 0, 0, 0, 0, 0, 0, -7, -7, -2, -7, -7, -7, -7, -7, -7, -7, -7, -7, -7])
    // Of the vector 9 + 1.5625 + 0.0625 + 6.25, of the integers 9 + 1 + 4.
    expect([scale, size, error]).toEqual([1, Math.sqrt(16.875), Math.sqrt(0.0625 + 0.0625 + 0.25)])
    const longer = quantize(Float32Array.of(-4, 1.5), 2, new Int16Array(8), 0, 8)
    // One unit is 2: 1.5 becomes 2.
    expect(longer).toEqual({ scale: 2, size: Math.sqrt(20), error: 0.5 })
  })

  test('of zeros has no length, and has none of what is no number', () => {
    expect(quantize(new Float32Array(3), 9, new Int16Array(8), 0, 8)).toEqual({ scale: 0, size: 0, error: 0 })
    for (const bad of [Number.POSITIVE_INFINITY, Number.NaN])
      expect(() => quantize(Float32Array.of(1, bad), 9, new Int16Array(8), 0, 8)).toThrow(
        'a vector holds a number that is not finite',
      )
  })
})

describe('rows that could be among the best', () => {
  const columns = (scale: number[], error = 0) => ({
    scale: Float64Array.from(scale),
    size: Float64Array.from(scale, () => 1),
    error: Float64Array.from(scale, () => error),
  })
  const scanned = (integers: number[], peak: number, first = 0) => ({
    first,
    integers: Int32Array.from(integers),
    peaks: Float32Array.of(peak),
  })
  const query = (scale = 1, slack = 0) => ({ scale, size: 1, slack })
  // The third is a zero row.
  const rows = createCandidates(columns([1, 1, 0, 1]))
  const four = scanned([5, 3, 9, 4], 5)

  test('are those with the highest products', () => {
    expect([...rows.likely(four, query(), 2)]).toEqual([0, 3])
    expect([...rows.likely(four, query(), 9)]).toEqual([0, 3, 1])
    expect([...rows.likely(four, query(), 2, Uint8Array.of(0, 1, 1, 1))]).toEqual([3, 1])
    // A negated query: the lowest come first.
    expect([...rows.likely(scanned([5, 3, 9, 4], -3), query(-1), 2)]).toEqual([1, 3])
    const scaled = createCandidates(columns([0.5, 1, 0, 0.25]))
    expect([...scaled.likely(scanned([5, 3, 9, 16], 4), query(), 2)]).toEqual([3, 1])
  })

  test('are those whose bound reaches the least score', () => {
    expect([...rows.above(four, query(), 4)]).toEqual([0, 3])
    expect([...rows.above(four, query(), 4.001)]).toEqual([0])
    expect([...rows.above(four, query(), 3, Uint8Array.of(1, 0, 1, 1))]).toEqual([0, 3])
    expect([...rows.above(scanned([5, 3, 9, 4], -3), query(-1), -4)]).toEqual([1, 3])
    // Rounding of rows, or of the query, moves a score by half.
    const rounded = createCandidates(columns([1, 1, 0, 1], 0.5))
    for (const [some, one] of [
      [rounded, query()],
      [rows, query(1, 0.5)],
    ] as const) {
      expect([...some.above(four, one, 4.499)]).toEqual([0, 3])
      expect([...some.above(four, one, 4.51)]).toEqual([0])
    }
  })

  test('may begin behind the first, and skip groups whose peak is too low', () => {
    const many = createCandidates(columns(new Array(18).fill(1)))
    expect([...many.above(scanned([7, 8], 8, 16), query(), 7)]).toEqual([16, 17])
    expect([...many.above(scanned([7, 8], 8, 16), query(), 8)]).toEqual([17])
    const integers = Int32Array.from({ length: 18 }, (_, row) => row)
    const two = { first: 0, integers, peaks: Float32Array.of(15, 17) }
    expect([...many.above(two, query(), 15)]).toEqual([15, 16, 17])
    expect([...many.likely(two, query(), 3)]).toEqual([17, 16, 15])
    // The peak of the first group says that no row of it can be among these.
    const low = { first: 0, integers: integers.toReversed(), peaks: Float32Array.of(0, 1) }
    expect([...many.above(low, query(), 1)]).toEqual([16])
  })

  test('the largest of nothing is 0', () => {
    expect([largestOf(Float64Array.of(1, 3, 2)), largestOf(new Float64Array(0))]).toEqual([3, 0])
  })
})
