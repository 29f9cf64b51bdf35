import { expect, test } from 'vitest'
import { batchReports } from '../../../src/corpus/graph/reports/assemble.ts'

test('consecutive reports share a batch while their tokens fit, and a longer one is alone', () => {
  const tokens = [40, 30, 30, 1, 250, 60, 41, 40]
  expect(batchReports([0, 1, 2, 3, 4, 5, 6, 7], tokens, 100)).toEqual([[0, 1, 2], [3], [4], [5], [6, 7]])
  expect(batchReports([7, 0], tokens, 100)).toEqual([[7, 0]])
  expect(batchReports([], tokens, 100)).toEqual([])
})
