import fc from 'fast-check'
import { buildCsr, type Csr } from '../../../src/corpus/graph/csr.ts'

export interface RandomGraph {
  readonly nodes: number
  readonly edges: readonly (readonly [number, number, number])[]
}

/** Small undirected multigraphs with self edges, parallel edges and isolated nodes; in a third all edges weigh 1. */
export const randomGraph: fc.Arbitrary<RandomGraph> = fc.integer({ min: 1, max: 24 }).chain((nodes) => {
  const node = fc.integer({ min: 0, max: nodes - 1 })
  const weight = fc.integer({ min: 1, max: 40 }).map((eighths) => eighths / 8)
  const weighted = fc.array(fc.tuple(node, node, weight), { maxLength: 60 })
  const alike = fc.uniqueArray(fc.tuple(node, node, fc.constant(1)), {
    maxLength: 60,
    selector: ([a, b]) => Math.min(a, b) * nodes + Math.max(a, b),
  })
  const edges = fc.oneof({ arbitrary: weighted, weight: 2 }, { arbitrary: alike, weight: 1 })
  return fc.record({ nodes: fc.constant(nodes), edges })
})

export function csrOf({ nodes, edges }: RandomGraph): Csr {
  return buildCsr(nodes, {
    sources: edges.map(([source]) => source),
    targets: edges.map(([, target]) => target),
    weights: edges.map(([, , weight]) => weight),
  })
}

/** The graph with its self edges, each stored once at its node. */
export function csrWithSelfEdges(graph: RandomGraph): Csr {
  const matrix = dense(graph)
  for (const [source, target, weight] of graph.edges) if (source === target) matrix[source][source] += weight
  const rows = matrix.map((row) => [...row.keys()].filter((target) => row[target] > 0))
  const offsets = new Uint32Array(graph.nodes + 1)
  rows.forEach((row, u) => {
    offsets[u + 1] = offsets[u] + row.length
  })
  return {
    nodes: graph.nodes,
    offsets,
    targets: Uint32Array.from(rows.flat()),
    weights: Float64Array.from(rows.flatMap((row, u) => row.map((target) => matrix[u][target]))),
  }
}

/** The symmetric matrix of summed weights, self edges left out: the simplest form of the same graph. */
export function dense({ nodes, edges }: RandomGraph): number[][] {
  const matrix = Array.from({ length: nodes }, () => new Array<number>(nodes).fill(0))
  for (const [source, target, weight] of edges) {
    if (source === target) continue
    matrix[source][target] += weight
    matrix[target][source] += weight
  }
  return matrix
}
