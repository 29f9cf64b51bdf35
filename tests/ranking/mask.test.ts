import { expect, test } from 'vitest'
import { bothMasks, keepWithin, lowerBound, maskOf, rowOutside } from '../../src/ranking/mask.ts'
import { rankPairs } from '../../src/ranking/order.ts'

const bytesOf = (...bytes: number[]) => Uint8Array.from(bytes)

test('a mask lists the rows that it keeps; two keep what both do', () => {
  expect(maskOf(bytesOf(1, 0, 1, 1))).toEqual({ kept: bytesOf(1, 0, 1, 1), rows: Uint32Array.of(0, 2, 3) })
  expect(maskOf(bytesOf())).toEqual({ kept: bytesOf(), rows: new Uint32Array(0) })
  expect(bothMasks(maskOf(bytesOf(1, 0, 1, 1)), maskOf(bytesOf(1, 1, 0, 1)))).toEqual(
    maskOf(bytesOf(1, 0, 0, 1)),
  )
})

test('a ranking within a mask keeps its order; one row outside is told', () => {
  const ranking = rankPairs([0, 1, 2], [1, 3, 2], 3)
  expect(keepWithin(ranking, undefined)).toEqual(ranking)
  expect(keepWithin(ranking, bytesOf(1, 0, 1))).toEqual({
    rows: Uint32Array.of(2, 0),
    scores: Float64Array.of(2, 1),
  })
  expect(rowOutside(ranking, maskOf(bytesOf(1, 0, 0)))).toBe(1)
  expect(rowOutside(ranking, maskOf(bytesOf(1, 1, 1)))).toBe(undefined)
})

test.each([
  [0, undefined, undefined, 0],
  [4, undefined, undefined, 1],
  [5, undefined, undefined, 2],
  [9, undefined, undefined, 4],
  [2, 2, 4, 2],
  [9, 0, 3, 3],
])('the first place of %s or more, from %s to %s', (row, begin, end, place) => {
  expect(lowerBound(Uint32Array.of(2, 4, 6, 8), row, begin, end)).toBe(place)
})
