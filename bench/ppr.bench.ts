import { withSelfEdges } from '../src/corpus/graph/csr.ts'
import { extractGraph } from '../src/corpus/graph/extraction.ts'
import { extractors } from '../src/corpus/graph/extractors/index.ts'
import { phrasePassageGraph } from '../src/corpus/graph/hippo-graph.ts'
import { createWalk, pagerank, type RandomWalk, type Reset } from '../src/corpus/graph/pagerank.ts'
import { indexTitles, linkByTitles } from '../src/corpus/graph/titles.ts'
import { createRandom } from '../src/random.ts'
import { rankScores } from '../src/ranking/order.ts'
import { resolve } from '../src/registry.ts'
import { syntheticPassages } from './passages.ts'
import { askPeer, bytesOf } from './peer.ts'
import { type BenchRow, benchRow, timed } from './synthetic.ts'

const DAMPINGS = [0.5, 0.85]
const DEPTH = 100
const QUERIES = 16

/**
 * Personalised PageRank, milliseconds a query. Sparse resets of 20 nodes, on title links and on HippoRAG 2's graph;
 * dense resets (every passage and 5 phrases) on the latter, one query alone and the mean of 16. Synonym edges
 * are invented: ten for each phrase. Peer: scipy's product in a power iteration, to a sum of errors of 1e-13 and in
 * blocks of 16.
 */
export default {
  name: 'ppr',
  sizes: [25_000],
  async run(size: number): Promise<BenchRow[]> {
    const rows: BenchRow[] = []
    const input = syntheticPassages(size)
    const texts = input.chunks.map(({ text }) => text)
    const known = indexTitles(input.chunks.map(({ title }) => title))
    const titles = createWalk(withSelfEdges(linkByTitles(texts, known).csr))
    const { graph, facts } = await extractGraph(input, [resolve(extractors, { name: 'rules', params: {} })])
    const phrases = graph.entities.size
    const csr = phrasePassageGraph(phrases, size, facts, inventedSynonyms(phrases), graph.chunksOfEntity)
    const hippo = createWalk(csr)
    const shape = `${csr.nodes} nodes, ${csr.targets.length / 2} edges`
    rows.push(
      ...DAMPINGS.flatMap((damping) => [
        ...sparse(`sparse reset over title links, damping ${damping}, ${size} passages`, titles, damping),
        ...sparse(`sparse reset, damping ${damping}, ${shape}`, hippo, damping),
      ]),
    )
    const resets = Array.from({ length: QUERIES }, (_, seed) => denseReset(phrases, size, seed))
    let next = 0
    for (const damping of DAMPINGS) {
      rows.push(
        ...rowsOf(`dense reset, damping ${damping}, ${shape}`, hippo, resets, damping, {
          alone: timed(5, () => walked(hippo, [everywhere(resets[next++ % QUERIES])], damping)),
          together: timed(3, () => walked(hippo, resets.map(everywhere), damping)) / QUERIES,
        }),
      )
    }
    return rows
  },
}

function sparse(name: string, walk: RandomWalk, damping: number): BenchRow[] {
  const random = createRandom(3)
  const resets = Array.from({ length: QUERIES }, (): Reset => {
    const nodes = Array.from({ length: 20 }, () => random.below(walk.csr.nodes))
    return { nodes, weights: nodes.map(() => random.uniform()) }
  })
  const dense = resets.map(({ nodes, weights }) => {
    const reset = new Float64Array(walk.csr.nodes)
    for (let i = 0; i < nodes.length; i++) reset[nodes[i]] += weights[i]
    return reset
  })
  let next = 0
  return rowsOf(name, walk, dense, damping, {
    alone: timed(9, () => walked(walk, [resets[next++ % QUERIES]], damping)),
    together: timed(3, () => walked(walk, resets, damping)) / QUERIES,
  })
}

/** Rows of one query alone and of all in blocks, next to scipy if Python has it. */
function rowsOf(
  name: string,
  walk: RandomWalk,
  resets: readonly Float64Array[],
  damping: number,
  ours: { readonly alone: number; readonly together: number },
): BenchRow[] {
  const all = new Float64Array(resets.length * walk.csr.nodes)
  resets.forEach((reset, query) => {
    all.set(reset, query * walk.csr.nodes)
  })
  const peer = askPeer<[alone: number, together: number]>('ppr', {
    'offsets.u32': bytesOf(walk.csr.offsets),
    'targets.u32': bytesOf(walk.csr.targets),
    'weights.f64': bytesOf(walk.csr.weights),
    'resets.f64': bytesOf(all),
    'shape.json': JSON.stringify({ damping }),
  })
  return [
    benchRow(`${name}, alone`, ours.alone, 'scipy', peer?.[0]),
    benchRow(`${name}, ${QUERIES} together`, ours.together, 'scipy', peer?.[1]),
  ]
}

const walked = (walk: RandomWalk, resets: readonly Reset[], damping: number) =>
  pagerank(walk, resets, damping, (scores) => rankScores(scores, DEPTH))

const everywhere = (weights: Float64Array) => ({ nodes: weights.map((_, u) => u), weights })

function denseReset(phrases: number, passages: number, seed: number): Float64Array {
  const random = createRandom(seed)
  const reset = new Float64Array(phrases + passages)
  for (let row = phrases; row < reset.length; row++) reset[row] = 0.05 * random.uniform()
  for (let i = 0; i < 5; i++) reset[random.below(phrases)] += random.uniform()
  return reset
}

function inventedSynonyms(phrases: number) {
  const random = createRandom(4)
  const sources = new Uint32Array(10 * phrases)
  const targets = new Uint32Array(10 * phrases)
  for (let phrase = 0; phrase < phrases; phrase++) {
    const near = Array.from({ length: 10 }, () => random.below(phrases)).sort((a, b) => a - b)
    sources.fill(phrase, 10 * phrase, 10 * phrase + 10)
    targets.set(near, 10 * phrase)
  }
  return { sources, targets, weights: new Float64Array(sources.length).fill(0.85) }
}
