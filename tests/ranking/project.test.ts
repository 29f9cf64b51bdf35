import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { append, rankList, rankPairs } from '../../src/ranking/order.ts'
import { type ItemChunks, PROJECTIONS, type Projection, project } from '../../src/ranking/project.ts'
import type { Ranking } from '../../src/types.ts'

/** The same, chunk by chunk, in a Map. */
function plainProject(
  items: Ranking,
  { offsets, members, shares }: Required<ItemChunks>,
  how: Projection,
  depth: number,
) {
  const sums = new Map<number, number>()
  items.rows.forEach((item, i) => {
    for (let at = offsets[item]; at < offsets[item + 1]; at++) {
      const sum = sums.get(members[at])
      const score = items.scores[i] * (how === 'share' ? shares[at] : 1)
      if (sum === undefined) sums.set(members[at], score)
      else sums.set(members[at], how === 'sum' ? sum + score : Math.max(sum, score))
    }
  })
  return rankPairs([...sums.keys()], [...sums.values()], depth)
}

/** Few or many items over few or many chunks, some held by none; scores of any sign, many equal. */
const problems = fc
  .record({
    held: fc.array(fc.uniqueArray(fc.nat(60), { maxLength: 6 }), { minLength: 1, maxLength: 30 }),
    far: fc.constantFrom(1, 40),
    scores: fc.array(fc.integer({ min: -3, max: 5 }), { minLength: 30, maxLength: 30 }),
    few: fc.boolean(),
  })
  .map(({ held, far, scores, few }) => {
    const offsets = Uint32Array.from([0, ...held.map((_, i) => held.slice(0, i + 1).flat().length)])
    const members = Uint32Array.from(held.flatMap((chunks) => chunks.map((chunk) => chunk * far)))
    const shares = Float64Array.from(members, (_, at) => ((at * 7) % 5) / 4)
    const rows = Uint32Array.from(held.keys())
      .reverse()
      .slice(0, few ? 2 : 30)
    return {
      holders: { offsets, members, shares },
      items: { rows, scores: Float64Array.from(rows, (row) => scores[row] / 3) },
    }
  })

const entries = ({ rows, scores }: Ranking) => [...rows].map((row, i) => [row, Number(scores[i].toFixed(6))])

describe('project', () => {
  it('does what a plain loop does, bit for bit', () => {
    fc.assert(
      fc.property(
        problems,
        fc.constantFrom(...PROJECTIONS),
        fc.constantFrom(1, 7, 1000),
        (problem, how, depth) => {
          const { items, holders } = problem
          expect(project(items, holders, how, depth)).toEqual(plainProject(items, holders, how, depth))
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('rankList and append', () => {
  it('an order scores 1/rank', () => {
    expect(entries(rankList([7, 3, 5]))).toEqual([
      [7, 1],
      [3, 0.5],
      [5, 0.333333],
    ])
  })
  it('a tail lies strictly below, in its own order, without repeating', () => {
    const joined = append(rankPairs([4, 2], [0.1, 0.2], 2), rankPairs([9, 4, 8, 1], [5, 5, 5, 7], 4), 5)
    expect([...joined.rows]).toEqual([2, 4, 1, 9, 8])
    for (let i = 1; i < 5; i++) expect(joined.scores[i]).toBeLessThan(joined.scores[i - 1])
    expect([...append(joined, joined, 3).rows]).toEqual([2, 4, 1])
  })
})
