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

function run(
  relevant: readonly number[],
  options: Partial<LazyOptions> = {},
  world: Parameters<typeof searchLazily>[1] = communities,
  cosines: readonly number[] = COSINES,
) {
  const search = searchLazily(cosines, world, { budget: 100, perCommunity: 2, patience: 3, ...options })
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

  /** Communities without children, over chunks 0 to 7. */
  const flat = (...chunks: number[][]) => ({
    parents: Int32Array.from(chunks, () => -1),
    children: chunks.map(() => []),
    chunks: incidenceOf(chunks, 8),
  })

  it.each([
    [
      'by its nearest chunks alone',
      [
        [0, 1, 6, 7],
        [2, 3],
      ],
      ['0 1', '2 3'],
    ],
    ['by the mean of their ranks', [[2], [0, 3]], ['0 3', '2']],
    ['equal means by community', [[2], [0, 4]], ['2', '0 4']],
  ])('ranks a community %s', (_, chunks, batches) => {
    expect(run([], {}, flat(...chunks)).batches).toEqual(batches)
  })

  it('sorts what it found by nearness, in whichever community it was', () => {
    expect(run([0, 2], {}, flat([0, 5], [1, 2]))).toEqual({ batches: ['1 2', '0 5'], found: [0, 2] })
  })

  it('counts communities without a relevant chunk from the last one that had one', () => {
    const four = flat([0], [1], [2], [3])
    expect(run([1], { patience: 2 }, four).batches).toEqual(['0', '1', '2', '3'])
    expect(run([], { patience: 2 }, four).batches).toEqual(['0', '1'])
  })

  it('goes down into an only child', () => {
    const chunks = incidenceOf([[0, 1, 2], [2]], 8)
    const world = { parents: Int32Array.of(-1, 0), children: [[1], []], chunks }
    expect(run([0], { perCommunity: 1 }, world).batches).toEqual(['0', '2'])
  })

  it('does not depend on the order of rows: the nearest chunk last, the nearest community last', () => {
    const turned = {
      parents: Int32Array.of(-1, -1, 1, 1),
      children: [[], [2, 3], [], []],
      chunks: incidenceOf(
        [
          [0, 1, 4, 5],
          [2, 3, 6, 7],
          [3, 7],
          [2, 6],
        ],
        8,
      ),
    }
    expect(run([6, 2], {}, turned, COSINES.toReversed())).toEqual({
      ...{ batches: ['7 6', '5 4', '3', '2'], found: [6, 2] },
    })
  })

  it('makes no more tests than the budget, and sorts by nearness', () => {
    expect(run([0, 1, 2], { budget: 3 })).toEqual({ batches: ['0 1', '2'], found: [0, 1, 2] })
  })
})
