import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildCsr } from '../../../src/corpus/graph/csr.ts'
import { createWalk, pagerank, type RandomWalk, type Reset } from '../../../src/corpus/graph/pagerank.ts'
import { createRandom } from '../../../src/random.ts'
import { rankScores } from '../../../src/ranking/order.ts'
import { powerIteration } from './power-iteration.ts'
import { csrOf, dense, randomGraph } from './random-graph.ts'

/** Solves (I - d (P^T + v dangling^T)) x = (1 - d) v by Gaussian elimination with pivoting. */
function solve(weights: readonly number[][], reset: readonly number[], damping: number): number[] {
  const n = weights.length
  const strength = weights.map((row) => row.reduce((sum, weight) => sum + weight, 0))
  const total = reset.reduce((sum, weight) => sum + weight, 0)
  const v = reset.map((weight) => weight / total)
  const rows = Array.from({ length: n }, (_, u) =>
    Array.from({ length: n + 1 }, (_, w) => {
      if (w === n) return (1 - damping) * v[u]
      return (u === w ? 1 : 0) - damping * (strength[w] > 0 ? weights[w][u] / strength[w] : v[u])
    }),
  )
  for (let column = 0; column < n; column++) {
    let pivot = column
    for (let row = column; row < n; row++)
      if (Math.abs(rows[row][column]) > Math.abs(rows[pivot][column])) pivot = row
    ;[rows[column], rows[pivot]] = [rows[pivot], rows[column]]
    for (let row = 0; row < n; row++) {
      if (row === column) continue
      const factor = rows[row][column] / rows[column][column]
      for (let k = column; k <= n; k++) rows[row][k] -= factor * rows[column][k]
    }
  }
  return rows.map((row, u) => row[n] / row[u])
}

/** Scores are exact up to their rounding to multiples of 2^-44. */
const NEAREST = 2 ** -45 + 2e-15

const everywhere = (weights: readonly number[]) => ({ nodes: weights.map((_, u) => u), weights })

const problem = randomGraph.chain((graph) =>
  fc.record({
    graph: fc.constant(graph),
    resets: fc.array(
      fc
        .array(fc.integer({ min: 0, max: 8 }), { minLength: graph.nodes, maxLength: graph.nodes })
        .filter((reset) => reset.some((weight) => weight > 0)),
      { minLength: 1, maxLength: 11 },
    ),
    damping: fc.constantFrom(0, 0.1, 0.5, 0.85, 0.95),
  }),
)

const scoresOf = (walk: RandomWalk, resets: readonly Reset[], damping: number) =>
  pagerank(walk, resets, damping, (scores) => scores.slice())

describe('personalised PageRank', () => {
  it('solves the equation, and gives a reset the same bits alone and among others', () => {
    fc.assert(
      fc.property(problem, ({ graph, resets, damping }) => {
        const walk = createWalk(csrOf(graph))
        const together = scoresOf(walk, resets.map(everywhere), damping)
        resets.forEach((reset, query) => {
          solve(dense(graph), reset, damping).forEach((exact, u) => {
            expect(Math.abs(together[query][u] - exact)).toBeLessThan(NEAREST)
          })
          expect(scoresOf(walk, [everywhere(reset)], damping)[0]).toEqual(together[query])
        })
      }),
    )
  })

  it.each([0.5, 0.85, 0.95, 0.99])('ranks a large graph as power iteration does at damping %f', (damping) => {
    const random = createRandom(5)
    const nodes = 3000
    const ends = () => Array.from({ length: 30_000 }, () => random.below(nodes))
    const weights = Array.from({ length: 30_000 }, () => 0.1 + random.uniform())
    const walk = createWalk(buildCsr(nodes, { sources: ends(), targets: ends(), weights }))
    const resets = Array.from({ length: 10 }, (_, query) => {
      const reset = Float64Array.from({ length: nodes }, () => (query % 2 ? random.uniform() / 100 : 0))
      for (let i = 0; i < 5; i++) reset[random.below(nodes)] += random.uniform()
      return reset
    })
    const scores = scoresOf(
      walk,
      resets.map((weights) => ({ nodes: weights.map((_, u) => u), weights })),
      damping,
    )
    resets.forEach((reset, query) => {
      const exact = powerIteration(walk, reset, damping, 1e-15)
      expect([...rankScores(scores[query], 100).rows]).toEqual([...rankScores(exact, 100).rows])
      const errors = scores[query].map((score, u) => Math.abs(score - exact[u]))
      expect(Math.max(...errors)).toBeLessThan(NEAREST)
      expect(scores[query].reduce((sum, score) => sum + score, 0)).toBeCloseTo(1, 9)
    })
  })

  it('nodes that are equal by symmetry have equal scores', () => {
    // A hub with leaves 1 to 9, and a path behind it.
    const leaves = Array.from({ length: 9 }, (_, i) => [0, i + 1, 1.5] as const)
    const walk = createWalk(csrOf({ nodes: 12, edges: [...leaves, [0, 10, 1], [10, 11, 1]] }))
    const resets = [
      { nodes: [11], weights: [1] },
      { nodes: [2, 5, 11], weights: [0.1, 0.1, 3] },
      { nodes: [4, 3], weights: [0.3, 0.2] },
    ]
    const [far, two, apart] = scoresOf(walk, resets, 0.85)
    expect(new Set(far.slice(1, 10)).size).toBe(1)
    expect(two[2]).toBe(two[5])
    expect(new Set([1, 3, 4, 6, 7, 8, 9].map((u) => two[u])).size).toBe(1)
    expect(new Set([1, 2, 5, 6, 7, 8, 9].map((u) => apart[u])).size).toBe(1)
    expect(apart[4]).toBeGreaterThan(apart[3])
  })
})
