import { expect, test } from 'vitest'
import { rankingProblem } from '../../src/ranking/check.ts'

const ranking = (rows: readonly number[], scores: readonly number[]) => ({
  rows: Uint32Array.from(rows),
  scores: Float64Array.from(scores),
})

test.each([
  [ranking([], []), null],
  [ranking([2, 0, 1], [3, 3, -1]), null],
  [ranking([3], [1]), /row 3 is not a chunk; there are 3/],
  [ranking([1, 1], [2, 1]), /row 1 is in the ranking twice/],
  [ranking([1, 2], [1, Number.NaN]), /row 2 is NaN/],
  [ranking([1, 2], [1, 2]), /row 2 is above/],
  [ranking([1, 2], [1]), /not 1 and 2/],
  [{ rows: [1], scores: Float64Array.of(1) }, /rows is an Array/],
  [null, /it is null/],
  [undefined, /it is missing$/],
  [3, /; it is a number$/],
  [[], /; it is an Array$/],
  [{}, /; rows is missing and scores is missing$/],
  [{ rows: new Map(), scores: null }, /; rows is a Map and scores is null$/],
  [{ rows: Object.create(null), scores: Float64Array.of(1) }, /; rows is a map$/],
  [ranking([2], [1]), null],
  [ranking([0, 2], [Number.NaN, 1]), /row 0 is NaN/],
])('%o', (value, problem) => {
  if (problem) expect(rankingProblem(value, 3)).toMatch(problem)
  else expect(rankingProblem(value, 3)).toBeNull()
})
