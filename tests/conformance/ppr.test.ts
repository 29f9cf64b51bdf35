import { beforeAll, describe, expect, it } from 'vitest'
import { buildCsr } from '../../src/graph/csr.ts'
import { blockPower } from '../../src/graph/pagerank/block.ts'
import { power } from '../../src/graph/pagerank/power.ts'
import { sparsePower } from '../../src/graph/pagerank/sparse.ts'
import { createWalk, type Walk } from '../../src/graph/pagerank/walk.ts'
import { rankScores } from '../../src/ranking/order.ts'
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
  cases.forEach((one, number) => {
    describe(`case ${number + 1}`, () => {
      let walk: Walk
      let entry: { nodes: number[]; weights: readonly number[] }
      beforeAll(() => {
        const { n, edges, reset } = one
        // A self edge is walked with its weight, counted once (as networkx has it).
        const { csr, refused } = buildCsr(
          n,
          {
            sources: edges.map(([source]) => source),
            targets: edges.map(([, target]) => target),
            weights: edges.map(([, , weight]) => weight),
          },
          'keep',
        )
        expect(refused).toMatchObject({ dangling: 0, badWeights: 0, selfEdges: 0 })
        expect([reset.length, one.ppr.length]).toEqual([n, n])
        walk = createWalk(csr)
        entry = { nodes: reset.map((_, u) => u), weights: reset }
      })

      it('power iteration to 1e-12', () => {
        const scores = power(walk, one.reset, one.damping)
        one.ppr.forEach((exact, u) => {
          expect(Math.abs(scores[u] - exact)).toBeLessThan(1e-12)
        })
      })

      it('push, and what it leaves swept: the same top 20', () => {
        const result = sparsePower(walk, entry, one.damping)
        expect(result.cut).toBe(false)
        const scores = new Float64Array(one.n)
        result.nodes.forEach((u, i) => {
          scores[u] = result.scores[i]
        })
        sameOrder(rankScores(scores, 20).rows, one, 20)
      })

      it('block, the same order to the asked depth', () => {
        const { n, damping } = one
        const start = power(walk, new Array(n).fill(1), damping)
        for (const depth of [1, 5, 20, 100]) {
          const copies = Array.from({ length: 9 }, () => entry)
          for (const { rows } of blockPower(walk, copies, { damping, from: 0, to: n, depth, start }))
            sameOrder(rows, one, depth)
        }
      })
    })
  })
})
