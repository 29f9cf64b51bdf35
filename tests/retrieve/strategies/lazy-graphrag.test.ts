import { describe, expect, it } from 'vitest'
import { incidenceOf } from '../../../src/corpus/graph/csr.ts'
import {
  type LazyOptions,
  rankRelevant,
  searchByWords,
  searchLazily,
} from '../../../src/retrieve/strategies/lazy-graphrag.ts'
import { outputsOf } from './prepared.ts'

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

  it('goes deeper after `patience` communities without one', () => {
    // After community 1, the second in a row; with 1 after community 0 already, before community 1 is seen.
    expect(run([2], { patience: 1 })).toEqual({ batches: ['0 1'], found: [] })
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
      batches: ['7 6', '5 4', '3', '2'],
      found: [6, 2],
    })
  })
})

describe('the test of relevance without a model', () => {
  it('is counted for each chunk that is tested, and the relevant ones are ranked, those of the filter alone', () => {
    const artifacts = {
      dense: { scores: (vectors: unknown[]) => vectors.map(() => COSINES) },
      communities,
      test: (text: string, threshold: number) => (chunk: number) => text.includes(String(chunk * threshold)),
    }
    const block = ['15', 'none'].map((text) => [{ text }, Float32Array.of(1)])
    const params = { budget: 100, perCommunity: 2, patience: 3, relevance: 1 }
    const [lazy, none] = outputsOf(searchByWords, block, params, artifacts)
    expect([lazy, none]).toEqual([
      { relevant: [1, 5], tests: 6 },
      { relevant: [], tests: 4 },
    ])
    const ranked = (allowed?: number[]) =>
      outputsOf(rankRelevant, [[lazy, allowed && { kept: Uint8Array.from(allowed) }]], null, {})[0]
    expect([...ranked().rows]).toEqual([1, 5])
    expect([...ranked([1, 0, 1, 1, 1, 1, 1, 1]).rows]).toEqual([5])
  })
})
