import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rowSizes, strengths } from '../../../src/corpus/graph/csr.ts'
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
})
