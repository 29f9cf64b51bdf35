import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWalk, pagerank } from '../../../src/corpus/graph/pagerank.ts'
import { csrWithSelfEdges, type RandomGraph, randomGraph } from './random-graph.ts'

/** x = (1 - d) v + d P^T x on a matrix, a node without edges restarting; a self edge's weight counts once. */
function plain({ nodes, edges }: RandomGraph, reset: readonly number[], damping: number): number[] {
  const weight = Array.from({ length: nodes }, () => new Array<number>(nodes).fill(0))
  for (const [u, v, w] of edges) {
    weight[u][v] += w
    if (u !== v) weight[v][u] += w
  }
  const strength = weight.map((row) => row.reduce((sum, w) => sum + w, 0))
  const total = reset.reduce((sum, r) => sum + r, 0)
  let x = reset.map((r) => r / total)
  for (let round = 0; round < 400; round++) {
    const lost = x.reduce((sum, mass, u) => sum + (strength[u] === 0 ? mass : 0), 0)
    x = x.map((_, v) => {
      const arrives = x.reduce(
        (sum, mass, u) => sum + (strength[u] > 0 ? (mass * weight[u][v]) / strength[u] : 0),
        0,
      )
      return (1 - damping) * (reset[v] / total) + damping * (arrives + lost * (reset[v] / total))
    })
  }
  return x
}

const walkOf = (graph: RandomGraph) => createWalk(csrWithSelfEdges(graph))

/** A ring of four whose first node likes itself, one that knows only itself, and one alone. */
const RING: RandomGraph = {
  nodes: 6,
  edges: [
    [0, 0, 3],
    [0, 1, 1],
    [1, 2, 1],
    [2, 3, 2],
    [3, 0, 1],
    [4, 4, 2],
    [0, 0, 1],
  ],
}

describe('a walk over self edges', () => {
  it('gives the same scores as a plain matrix does, alone and among others', () => {
    const someWithSelf = randomGraph.map(({ nodes, edges }) => ({
      nodes,
      edges: [...edges, [0, 0, 2.5] as const, [nodes - 1, nodes - 1, 1] as const],
    }))
    fc.assert(
      fc.property(
        fc.oneof(fc.constant(RING), someWithSelf),
        fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 24, maxLength: 24 }),
        fc.constantFrom(0.1, 0.5, 0.85),
        (graph, drawn, damping) => {
          const { nodes } = graph
          const reset = drawn.slice(0, nodes)
          if (!reset.some((weight) => weight > 0)) reset[0] = 1
          const exact = plain(graph, reset, damping)
          const walk = walkOf(graph)
          const entry = { nodes: reset.map((_, u) => u), weights: reset }
          for (const copies of [1, 3])
            pagerank(walk, new Array(copies).fill(entry), damping, (scores) => {
              for (let u = 0; u < nodes; u++) expect(Math.abs(scores[u] - exact[u])).toBeLessThan(1e-11)
            })
        },
      ),
    )
  })
})
