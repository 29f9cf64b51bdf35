import { describe, expect, it } from 'vitest'
import { incidenceOf } from '../../../src/corpus/graph/csr.ts'
import { type LazyOptions, searchLazily } from '../../../src/retrieve/strategies/lazy-graphrag/search.ts'

/**
 * Communities over chunks 0 to 7, which are nearer to the query the lower they are:
 *
 *     0 {0, 1, 4, 5} with the children 2 {0, 4} and 3 {1, 5};  1 {2, 3, 6, 7} without children
 */
const COSINES = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2]
const communities = {
  parents: Int32Array.of(-1, -1, 0, 0),
  children: [[2, 3], [], [], []],
  chunks: incidenceOf(
    [
      [0, 1, 4, 5],
      [2, 3, 6, 7],
      [0, 4],
      [1, 5],
    ],
    8,
  ),
}

function run(relevant: readonly number[], options: Partial<LazyOptions> = {}) {
  const search = searchLazily(COSINES, communities, { budget: 100, perCommunity: 2, patience: 3, ...options })
  const batches: string[] = []
  let step = search.next()
  while (!step.done) {
    batches.push(step.value.join(' '))
    step = search.next(step.value.map((chunk) => relevant.includes(chunk)))
  }
  return { batches, found: step.value }
}

describe('the search through communities', () => {
  it('tests the nearest chunks of the nearest community first, and goes down where one was relevant', () => {
    // Community 0 has the mean rank 0.5, community 1 has 2.5. Chunk 1 is relevant, so 2 and 3 are opened: 4, then 5.
    expect(run([1, 5])).toEqual({ batches: ['0 1', '2 3', '4', '5'], found: [1, 5] })
  })

  it('tests the next chunks of a community without children in place of its child', () => {
    expect(run([3])).toEqual({ batches: ['0 1', '2 3', '6 7'], found: [3] })
  })

  it('passes over a community without chunks', () => {
    const sparse = {
      ...{ parents: Int32Array.of(-1, -1, -1), children: [[], [], []] },
      chunks: incidenceOf([[0], [], [5]], 8),
    }
    const search = searchLazily(COSINES, sparse, { budget: 9, perCommunity: 1, patience: 3 })
    expect(search.next().value).toEqual([0])
    expect(search.next([false]).value).toEqual([5])
  })

  it('ends where no community had a relevant chunk', () => {
    expect(run([7])).toEqual({ batches: ['0 1', '2 3'], found: [] })
  })

  it('goes deeper after `patience` communities without one', () => {
    // After community 1, the second in a row; with 1 after community 0 already, before community 1 is seen.
    expect(run([2], { patience: 1 })).toEqual({ batches: ['0 1'], found: [] })
  })

  it('makes no more tests than the budget, and sorts by nearness', () => {
    expect(run([0, 1, 2], { budget: 3 })).toEqual({ batches: ['0 1', '2'], found: [0, 1, 2] })
  })
})
