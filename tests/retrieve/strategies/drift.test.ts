import { expect, it } from 'vitest'
import { foldsOf } from '../../../src/retrieve/strategies/drift/steps.ts'
import { drift } from '../../../src/retrieve/strategies/drift/strategy.ts'

it('splits reports into parts of nearly equal size, none empty', () => {
  expect(foldsOf([1, 2, 3, 4, 5, 6, 7], 3)).toEqual([
    [1, 2],
    [3, 4],
    [5, 6, 7],
  ])
  expect(foldsOf([1, 2], 5)).toEqual([[1], [2]])
})

it('refuses rounds and prompts that no model reads', () => {
  const { error } = drift.params.safeParse({ rounds: 2, sourceShare: 0.95 })
  expect(error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
    ['reportShare', 'sourceShare and reportShare add up to more than 1'],
    ['rounds', 'is for a `model`'],
  ])
})
