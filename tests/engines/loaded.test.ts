import { expect, test } from 'vitest'
import { numberIn, rankAnswer } from '../../src/engines/loaded.ts'
import { maskOf } from '../../src/ranking/mask.ts'

test.each<[unknown, number]>([
  ['2.5', 2.5],
  [0, 0],
  [null, Number.NaN],
  [true, Number.NaN],
  [[1], Number.NaN],
])('the number in %j is %d', (value, number) => {
  expect(numberIn(value)).toBe(number)
})

const ranked = (rows: number[], scores: number[], depth = 9, kept?: number[]) =>
  rankAnswer('the server', { rows, scores }, depth, kept && maskOf(Uint8Array.from(kept)))

test('what an engine returns is ranked, the last row first among equals, to the depth', () => {
  const { rows, scores } = ranked([0, 4, 2, 3], [1, 2, 1, -3], 3)
  expect([[...rows], [...scores]]).toEqual([
    [4, 2, 0],
    [2, 1, 1],
  ])
  expect(ranked([], []).rows).toHaveLength(0)
  expect([...ranked([1, 0], [1, 2], 2, [1, 1]).rows]).toEqual([0, 1])
})

test.each<[string, number[], number[], number[] | undefined]>([
  ["-1 in place of a chunk's row", [0, -1], [1, 1], undefined],
  ["0.5 in place of a chunk's row", [0.5], [1], undefined],
  ['the chunk of row 2 twice in one ranking', [2, 0, 2], [3, 2, 1], undefined],
  ['the chunk of row 0, which the filter of the request leaves out', [1, 0], [2, 1], [0, 1]],
  ['the chunk of row 7, which the filter of the request leaves out', [7], [2], [0, 1]],
  ['the score NaN for the chunk of row 1', [0, 1], [2, Number.NaN], undefined],
  ['the score Infinity for the chunk of row 0', [0], [Number.POSITIVE_INFINITY], undefined],
])('%s is refused', (problem, rows, scores, kept) => {
  expect(() => ranked(rows, scores, 9, kept)).toThrow(`the server returned ${problem}`)
})
