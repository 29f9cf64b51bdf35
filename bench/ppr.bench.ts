import { withSelfEdges } from '../src/corpus/graph/csr.ts'
import { extractGraph } from '../src/corpus/graph/extract.ts'
import { extractors } from '../src/corpus/graph/extractors/index.ts'
import { phrasePassageGraph } from '../src/corpus/graph/hippo-graph.ts'
import { createWalk, pagerank, type RandomWalk, type Reset } from '../src/corpus/graph/pagerank.ts'
import { linkByTitles } from '../src/corpus/graph/title-links.ts'
import { indexTitles } from '../src/corpus/graph/titles.ts'
import { rankScores } from '../src/ranking/order.ts'
import { resolve } from '../src/registry.ts'
import { createRandom } from '../src/statistics/random.ts'
import { powerIteration } from '../tests/corpus/graph/power-iteration.ts'
import { syntheticPassages } from './passages.ts'
import { type BenchRow, benchRow, timed } from './synthetic.ts'

const DAMPING = 0.5
const DEPTH = 100
const QUERIES = 16

/**
 * Personalised PageRank, milliseconds a query. Sparse resets of 20 nodes, on title links and on HippoRAG 2's graph;
 * dense resets (every passage and 5 phrases) on the latter, one query alone and 16 in blocks of eight. Synonym edges
 * are invented: ten for each phrase. Baseline: plain power iteration, as exact.
 */
export default {
  name: 'ppr',
  async run(sizes: readonly number[]): Promise<BenchRow[]> {
    const rows: BenchRow[] = []
    for (const size of sizes) {
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
        sparse(`sparse reset over title links, ${size} passages`, titles),
        sparse(`sparse reset over phrases and passages, ${shape}`, hippo),
      )
      const resets = Array.from({ length: QUERIES }, (_, seed) => denseReset(phrases, size, seed))
      const plain = timed(3, () => powerIteration(hippo, resets[0], DAMPING))
      let next = 0
      rows.push(
        benchRow(
          `dense reset alone, ${shape}`,
          timed(5, () => walked(hippo, [everywhere(resets[next++ % QUERIES])])),
          plain,
        ),
        benchRow(
          `dense resets, 16 in blocks, ${shape}`,
          timed(3, () => walked(hippo, resets.map(everywhere))) / QUERIES,
          plain,
        ),
      )
    }
    return rows
  },
}

function sparse(name: string, walk: RandomWalk): BenchRow {
  const random = createRandom(3)
  const nodes = Array.from({ length: 20 }, () => random.below(walk.csr.nodes))
  const weights = nodes.map(() => random.uniform())
  const reset = new Float64Array(walk.csr.nodes)
  nodes.forEach((node, i) => {
    reset[node] += weights[i]
  })
  return benchRow(
    name,
    timed(15, () => walked(walk, [{ nodes, weights }])),
    timed(3, () => powerIteration(walk, reset, DAMPING)),
  )
}

const walked = (walk: RandomWalk, resets: readonly Reset[]) =>
  pagerank(walk, resets, DAMPING, (scores) => rankScores(scores, DEPTH))

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
