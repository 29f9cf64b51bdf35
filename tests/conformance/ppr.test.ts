import { beforeAll, describe, expect, it } from 'vitest'
import { createWalk, pagerank, type RandomWalk } from '../../src/corpus/graph/pagerank.ts'
import { rankScores } from '../../src/ranking/order.ts'
import { csrWithSelfEdges } from '../corpus/graph/random-graph.ts'
import { describeForm } from './forms.ts'

interface Case {
  readonly n: number
  readonly edges: readonly [number, number, number][]
  readonly reset: readonly number[]
  readonly damping: number
  readonly ppr: readonly number[]
}

/** Places of equal expected scores are interchangeable: scores at the places must agree. */
function sameOrder(rows: ArrayLike<number>, { ppr }: Case, depth: number): void {
  const best = rankScores(Float64Array.from(ppr), depth).rows
  expect(rows.length).toBe(best.length)
  best.forEach((row, place) => {
    expect(Math.abs(ppr[rows[place]] - ppr[row])).toBeLessThan(1e-13)
  })
}

describeForm<{ cases: Case[] }>('ppr', ({ cases }) => {
  cases.forEach((testCase, number) => {
    describe(`case ${number + 1}`, () => {
      let walk: RandomWalk
      let entry: { nodes: number[]; weights: readonly number[] }
      beforeAll(() => {
        const { n, edges, reset } = testCase
        // A self edge is walked with its weight, counted once (as networkx has it).
        const csr = csrWithSelfEdges({ nodes: n, edges })
        expect([reset.length, testCase.ppr.length]).toEqual([n, n])
        walk = createWalk(csr)
        entry = { nodes: reset.map((_, u) => u), weights: reset }
      })

      it('every score to 1e-12, the same order to any depth, alone and among others', () => {
        for (const copies of [1, 9])
          pagerank(walk, new Array(copies).fill(entry), testCase.damping, (scores) => {
            testCase.ppr.forEach((exact, u) => {
              expect(Math.abs(scores[u] - exact)).toBeLessThan(1e-12)
            })
            for (const depth of [1, 5, 20, 100]) sameOrder(rankScores(scores, depth).rows, testCase, depth)
          })
      })
    })
  })
})
