import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { buildCsr } from '../../src/graph/csr.ts'
import { blockPower } from '../../src/graph/pagerank/block.ts'
import { power } from '../../src/graph/pagerank/power.ts'
import { push } from '../../src/graph/pagerank/push.ts'
import { createWalk } from '../../src/graph/pagerank/walk.ts'
import { rankScores } from '../../src/ranking/order.ts'
import { describeShared, shared } from '../shared.ts'

interface Case {
  readonly n: number
  readonly edges: readonly [number, number, number][]
  readonly reset: readonly number[]
  readonly damping: number
  readonly ppr: readonly number[]
}

describeShared('conformance: ppr.json', () => {
  const { cases } = JSON.parse(readFileSync(shared('conformance', 'ppr.json'), 'utf8')) as { cases: Case[] }
  cases.forEach(({ n, edges, reset, damping, ppr }, number) => {
    const { csr } = buildCsr(n, {
      sources: edges.map(([source]) => source),
      targets: edges.map(([, target]) => target),
      weights: edges.map(([, , weight]) => weight),
    })
    const walk = createWalk(csr)
    const name = `case ${number + 1}: ${n} nodes, damping ${damping}`
    const expected = Float64Array.from(ppr)
    /** Places of equal expected scores are interchangeable: scores at the places must agree. */
    const sameOrder = (rows: Uint32Array, depth: number) => {
      const best = rankScores(expected, depth).rows
      expect(rows.length).toBe(best.length)
      rows.forEach((row, place) => {
        expect(Math.abs(ppr[row] - ppr[best[place]])).toBeLessThan(1e-13)
      })
    }

    it(`${name}: power iteration to 1e-12`, () => {
      const scores = power(walk, reset, damping)
      ppr.forEach((exact, u) => {
        expect(Math.abs(scores[u] - exact)).toBeLessThan(1e-12)
      })
    })

    it(`${name}: push, the same top 20`, () => {
      const result = push(walk, { nodes: reset.map((_, u) => u), weights: reset }, damping)
      const scores = new Float64Array(n)
      result.nodes.forEach((u, i) => {
        scores[u] = result.scores[i]
      })
      sameOrder(rankScores(scores, 20).rows, 20)
    })

    it(`${name}: block, the same order to the asked depth`, () => {
      const start = power(walk, new Array(n).fill(1), damping)
      for (const depth of [1, 5, 20, 100]) {
        const copies = Array.from({ length: 9 }, () => ({ nodes: reset.map((_, u) => u), weights: reset }))
        for (const { rows } of blockPower(walk, copies, { damping, from: 0, to: n, depth, start }))
          sameOrder(rows, depth)
      }
    })
  })
})
