import { expect, test } from 'vitest'
import type { Mask } from '../../../src/ranking/mask.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import { rankSummaries } from '../../../src/retrieve/strategies/raptor/steps.ts'
import type { Ranking } from '../../../src/types.ts'
import { recipe } from './prepared.ts'

test('the chunks that the way down the tree reaches are ranked by cosine, those of the filter alone', () => {
  const cosines = [0.1, 0.9, 0.5, 0.7]
  const dense = { cosines: (rows: readonly number[]) => rows.map((row) => cosines[row]) }
  const query = sourceQuery(recipe) as never
  const { step } = rankSummaries([query, query], { depth: 5 })
  const run = step.run as unknown as (inputs: unknown[], reading: unknown) => Ranking
  const ranked = (chunks: number[], depth: number, mask?: Mask) => {
    const { rows, scores } = run([Float32Array.of(1), { chunks }, mask], {
      ...{ params: { depth }, artifacts: { dense } },
    })
    return [Array.from(rows), Array.from(scores)]
  }
  expect(ranked([0, 1, 3], 5)).toEqual([
    [1, 3, 0],
    [0.9, 0.7, 0.1],
  ])
  expect(ranked([0, 1, 3], 2)[0]).toEqual([1, 3])
  expect(ranked([], 5)).toEqual([[], []])
  const mask = { kept: Uint8Array.of(1, 0, 1, 1) } as unknown as Mask
  expect(ranked([0, 1, 3], 5, mask)[0]).toEqual([3, 0])
})
