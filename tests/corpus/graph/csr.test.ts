import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildCsr, rowSizes, strengths } from '../../../src/corpus/graph/csr.ts'
import { components } from '../../../src/corpus/graph/neighbors.ts'
import { csrOf, dense, randomGraph } from './random-graph.ts'

describe('csr', () => {
  it('holds the sums of parallel edges, symmetric and ascending', () => {
    fc.assert(
      fc.property(randomGraph, (graph) => {
        const csr = csrOf(graph)
        const matrix = dense(graph)
        for (let u = 0; u < graph.nodes; u++) {
          const row = new Array<number>(graph.nodes).fill(0)
          let last = -1
          for (let i = csr.offsets[u]; i < csr.offsets[u + 1]; i++) {
            expect(csr.targets[i]).toBeGreaterThan(last)
            last = csr.targets[i]
            row[last] = csr.weights[i]
          }
          expect(row).toEqual(matrix[u])
          expect(strengths(csr)[u]).toBe(matrix[u].reduce((sum, weight) => sum + weight, 0))
          expect(rowSizes(csr)[u]).toBe(matrix[u].filter((weight) => weight > 0).length)
        }
      }),
    )
  })

  it('counts what it refuses', () => {
    const { csr, refused } = buildCsr(3, {
      sources: [0, 0, 1, 7, 2, 1, -1, 0, 0],
      targets: [1, 2, 1, 0, 9, 2, 0, 1, 1],
      weights: [1, Number.NaN, 1, 1, 1, 0, 1, -1, Number.POSITIVE_INFINITY],
    })
    expect(refused).toEqual({ dangling: 3, badWeights: 3, zeroWeights: 1, selfEdges: 1 })
    expect([...csr.targets]).toEqual([1, 0])
  })

  it('keeps a self edge once where asked', () => {
    const { csr } = buildCsr(2, { sources: [0, 0], targets: [0, 1], weights: [3, 1] }, 'keep')
    expect([...csr.offsets]).toEqual([0, 2, 3])
    expect([...csr.weights]).toEqual([3, 1, 1])
  })

  it('makes an empty graph', () => {
    const { csr } = buildCsr(0, { sources: [], targets: [] })
    expect([...csr.offsets]).toEqual([0])
    expect(components(csr).sizes).toEqual([])
  })

  it('finds the components that union of sets finds', () => {
    fc.assert(
      fc.property(randomGraph, (graph) => {
        const label = Array.from({ length: graph.nodes }, (_, node) => node)
        for (const [source, target] of graph.edges) {
          const [low, high] = [label[source], label[target]].sort((a, b) => a - b)
          label.forEach((value, node) => {
            if (value === high) label[node] = low
          })
        }
        const { of, sizes } = components(csrOf(graph))
        for (let u = 0; u < graph.nodes; u++) {
          expect(sizes[of[u]]).toBe(label.filter((value) => value === label[u]).length)
          for (let v = 0; v < u; v++) expect(of[u] === of[v]).toBe(label[u] === label[v])
        }
      }),
    )
  })
})
