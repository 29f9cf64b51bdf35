import { UndirectedGraph } from 'graphology'
import * as graphologyLouvain from 'graphology-communities-louvain'
import { assembleCommunities, communityColumns } from '../src/corpus/graph/communities/assemble.ts'
import type { Csr } from '../src/corpus/graph/csr.ts'
import { extractGraph } from '../src/corpus/graph/extract.ts'
import { extractors } from '../src/corpus/graph/extractors/index.ts'
import { nestedCommunities } from '../src/corpus/graph/leiden/hierarchy.ts'
import { leiden, modularity } from '../src/corpus/graph/leiden/leiden.ts'
import { reportWriters } from '../src/corpus/graph/reports/index.ts'
import { askNobody } from '../src/corpus/writer.ts'
import { createRandom } from '../src/random.ts'
import { resolve } from '../src/registry.ts'
import { syntheticPassages } from './passages.ts'
import { askPeer, bytesOf } from './peer.ts'
import { benchRow, timed } from './synthetic.ts'

const louvain = graphologyLouvain.default as unknown as {
  detailed(graph: UndirectedGraph, options: { rng: () => number }): { modularity: number }
}

/**
 * Building a graph over generated passages, in milliseconds: extraction by rules, Leiden once and in a hierarchy,
 * and extractive reports. Peers: igraph's Leiden (two iterations) and graphology's Louvain. The last columns compare
 * the modularity.
 */
export default {
  name: 'leiden',
  sizes: [2500, 25_000],
  async run(size: number) {
    const rows = []
    const input = syntheticPassages(size)
    const chosen = [resolve(extractors, { name: 'rules', params: {} })]
    const begin = performance.now()
    const { graph } = await extractGraph(input, chosen)
    const extracted = performance.now() - begin
    const { csr } = graph
    const shape = `${csr.nodes} entities, ${csr.targets.length / 2} edges`
    rows.push(benchRow(`extract with rules, ${size} passages`, extracted))

    const options = { resolution: 1, seed: 1 }
    const of = leiden(csr, options)
    const oracle = toGraphology(csr)
    const random = createRandom(1)
    const own = timed(1, () => leiden(csr, options))
    const theirs = louvain.detailed(oracle, { rng: random.uniform }).modularity
    rows.push({
      ...benchRow(
        `leiden, ${shape}`,
        own,
        'graphology (Louvain)',
        timed(1, () => louvain.detailed(oracle, { rng: random.uniform })),
      ),
      ours_modularity: modularity(csr, of),
      peer_modularity: theirs,
    })
    const peer = askPeer<{ readonly milliseconds: number; readonly of: number[] }>('leiden', {
      'offsets.u32': bytesOf(csr.offsets),
      'targets.u32': bytesOf(csr.targets),
      'weights.f64': bytesOf(csr.weights),
    })
    if (peer)
      rows.push({
        ...benchRow(`leiden, ${shape}`, own, 'igraph (Leiden)', peer.milliseconds),
        ours_modularity: modularity(csr, of),
        peer_modularity: modularity(csr, Uint32Array.from(peer.of)),
      })
    const hierarchy = { ...options, maxSize: 10 }
    const found = nestedCommunities(csr, hierarchy)
    rows.push(
      benchRow(
        `hierarchy of ${found.length} communities`,
        timed(1, () => nestedCommunities(csr, hierarchy)),
      ),
    )
    const communities = assembleCommunities(communityColumns(found, csr.nodes), graph)
    const { definition: writer, params } = resolve(reportWriters, { name: 'extractive', params: {} })
    const write = () => writer.make(params).write({ graph, communities, chunks: input.chunks }, askNobody)
    rows.push(benchRow(`reports of ${found.length} communities`, timed(1, write)))
    return rows
  },
}

function toGraphology({ nodes, offsets, targets, weights }: Csr): UndirectedGraph {
  const graph = new UndirectedGraph()
  for (let u = 0; u < nodes; u++) graph.addNode(u)
  for (let u = 0; u < nodes; u++)
    for (let i = offsets[u]; i < offsets[u + 1]; i++)
      if (targets[i] > u) graph.addUndirectedEdge(u, targets[i], { weight: weights[i] })
  return graph
}
