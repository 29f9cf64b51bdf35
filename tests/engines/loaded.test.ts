import { expect, test } from 'vitest'
import { rankAnswer } from '../../src/engines/loaded.ts'
import { maskOf } from '../../src/ranking/mask.ts'

const ranked = (rows: number[], scores: number[], depth = 9, allowed?: number[]) =>
  rankAnswer('the server', { rows, scores }, depth, allowed && maskOf(Uint8Array.from(allowed)))

test('what an engine returns is ranked, the last row first among equals, to the depth', () => {
  const { rows, scores } = ranked([0, 4, 2, 3], [1, 2, 1, -3], 3)
  expect([[...rows], [...scores]]).toEqual([
    [4, 2, 0],
    [2, 1, 1],
  ])
  expect(ranked([], []).rows).toHaveLength(0)
  expect([...ranked([1, 0], [1, 2], 2, [1, 1]).rows]).toEqual([0, 1])
})
