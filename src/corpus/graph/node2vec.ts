import { join } from 'node:path'
import { createRandom, type Random, shuffle } from '../../random.ts'
import { lowerBound } from '../../ranking/mask.ts'
import { readArrays, writeArrays } from '../../store/arrays.ts'
import { type Artifact, defineArtifact } from '../../store/artifact.ts'
import type { Recipe } from '../recipe.ts'
import { buildCsr, type Csr, createEdges } from './csr.ts'
import { graph } from './extraction.ts'
import type { Graph } from './graph.ts'

const FILE = 'vectors.safetensors'

/** Vector of each chunk by its position in the graph of chunks and entities; length 1, or 0 if the chunk has no entity. */
export function chunkPlaces(recipe: Recipe, options: Node2vecOptions): Artifact<Float32Array> {
  return defineArtifact({
    name: 'node2vec',
    version: 2,
    params: { ...options },
    inputs: { graph: graph(recipe) },
    async build(folder, inputs, { progress }) {
      const opened = await inputs.graph()
      const all = node2vec(chunksAndEntities(opened), options, (done, total) =>
        progress('graph embeddings', done, total),
      )
      writeArrays(join(folder, FILE), { vectors: all.slice(0, opened.chunks * options.dims) })
    },
    open: (folder) => readArrays<{ vectors: Float32Array }>(join(folder, FILE)).arrays.vectors,
  })
}

/**
 * Node r is chunk row r, node `chunks` + e entity e. A chunk and an entity are joined by the number of mentions,
 * entities by their relationships.
 */
function chunksAndEntities({ chunks, entities, chunksOfEntity, csr }: Graph): Csr {
  const edges = createEdges()
  const { offsets, members, counts } = chunksOfEntity
  for (let entity = 0; entity < entities.size; entity++) {
    for (let i = offsets[entity]; i < offsets[entity + 1]; i++)
      edges.add(chunks + entity, members[i], counts[i])
    for (let i = csr.offsets[entity]; i < csr.offsets[entity + 1]; i++)
      if (csr.targets[i] > entity) edges.add(chunks + entity, chunks + csr.targets[i], csr.weights[i])
  }
  return buildCsr(chunks + entities.size, edges)
}

/**
 * node2vec (Grover and Leskovec, KDD 2016) of an undirected weighted graph.
 *
 *     a walk that came from t to v goes on to x with probability ~ w(v, x) * a(t, x),
 *         a = 1 / p  if x is t;   1  if t and x are joined;   1 / q  otherwise
 *     skip-gram with negative sampling over windows of the walks (Mikolov et al., NIPS 2013):
 *         maximise  log s(u . c) + sum over `negatives` drawn nodes n of log s(-u . n),   s(z) = 1 / (1 + exp(-z)),
 *         n drawn by degree^(3/4), the rate falling from .025 to a ten-thousandth of it
 *
 * Walks begin `walks` times at every node. A step is drawn by rejection (Yang et al., KnightKing, SOSP 2019); after
 * `TRIES` rejections from all neighbours, since a leaf with a small q would otherwise not end.
 */
export type Node2vecOptions = {
  readonly dims: number
  readonly walks: number
  readonly length: number
  readonly window: number
  readonly p: number
  readonly q: number
  readonly seed: number
}

const NEGATIVES = 5
const RATE = 0.025
/** Rejections until a step is drawn from all neighbours. */
const TRIES = 32

/**
 * Vectors of `dims` floats per node, of length 1; 0 for a node without neighbours. `progress` counts rounds of walks.
 */
export function node2vec(
  graph: Csr,
  options: Node2vecOptions,
  progress: (done: number, total: number) => void = () => {},
): Float32Array {
  const { dims, walks, seed } = options
  const random = createRandom(seed)
  const step = secondOrder(graph, options, random)
  const vectors = Float32Array.from({ length: graph.nodes * dims }, () => (random.uniform() - 0.5) / dims)
  const model = { vectors, contexts: new Float32Array(vectors.length) }
  const drawNegative = drawBy(
    Float64Array.from({ length: graph.nodes }, (_, node) => degree(graph, node) ** 0.75),
    random,
  )
  const starts = Array.from({ length: graph.nodes }, (_, node) => node).filter(
    (node) => degree(graph, node) > 0,
  )
  const walk = new Uint32Array(options.length)
  let done = 0
  for (let round = 0; round < walks; round++) {
    progress(round, walks)
    for (const start of shuffle(starts, random)) {
      walk[0] = start
      for (let at = 1; at < walk.length; at++) walk[at] = step(at > 1 ? walk[at - 2] : -1, walk[at - 1])
      const rate = RATE * Math.max(1e-4, 1 - done++ / (walks * starts.length))
      learn(model, walk, { ...options, rate, drawNegative })
    }
  }
  return unitRows(vectors, graph, dims)
}

const degree = ({ offsets }: Csr, node: number) => offsets[node + 1] - offsets[node]

/** Draws the next node of a walk that came from `from` (-1 at its beginning) to `at`. */
function secondOrder(
  graph: Csr,
  { p, q }: Pick<Node2vecOptions, 'p' | 'q'>,
  random: Random,
): (from: number, at: number) => number {
  const { offsets, targets, weights } = graph
  const sums = new Float64Array(weights.length)
  for (let node = 0; node < graph.nodes; node++)
    for (let i = offsets[node], sum = 0; i < offsets[node + 1]; i++) {
      sum += weights[i]
      sums[i] = sum
    }
  const max = Math.max(1 / p, 1, 1 / q)
  const bias = (from: number, target: number) =>
    target === from ? 1 / p : areJoined(graph, from, target) ? 1 : 1 / q
  return (from, at) => {
    const [begin, end] = [offsets[at], offsets[at + 1]]
    for (let tries = 0; tries < TRIES; tries++) {
      const target = targets[firstAbove(sums, random.uniform() * sums[end - 1], begin, end)]
      if (from < 0) return target
      const weight = bias(from, target)
      if (weight === max || random.uniform() * max < weight) return target
    }
    const biased = new Float64Array(end - begin)
    let sum = 0
    for (let i = begin; i < end; i++) {
      sum += (weights[i] * bias(from, targets[i])) / max
      biased[i - begin] = sum
    }
    return targets[begin + firstAbove(biased, random.uniform() * sum, 0, biased.length)]
  }
}

function areJoined({ offsets, targets }: Csr, u: number, v: number): boolean {
  const at = lowerBound(targets, v, offsets[u], offsets[u + 1])
  return at < offsets[u + 1] && targets[at] === v
}

function firstAbove(sums: Float64Array, value: number, begin: number, end: number): number {
  let [low, high] = [begin, end - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sums[middle] > value) high = middle
    else low = middle + 1
  }
  return low
}

function drawBy(weights: Float64Array, random: Random): () => number {
  const sums = new Float64Array(weights.length)
  let sum = 0
  for (let i = 0; i < weights.length; i++) {
    sum += weights[i]
    sums[i] = sum
  }
  return () => firstAbove(sums, random.uniform() * sum, 0, sums.length)
}

interface Learning extends Pick<Node2vecOptions, 'dims' | 'window'> {
  readonly rate: number
  readonly drawNegative: () => number
}

function learn(
  { vectors, contexts }: { readonly vectors: Float32Array; readonly contexts: Float32Array },
  walk: Uint32Array,
  { dims, window, rate, drawNegative }: Learning,
): void {
  const change = new Float64Array(dims)
  for (let at = 0; at < walk.length; at++)
    for (let near = Math.max(0, at - window); near <= Math.min(walk.length - 1, at + window); near++) {
      if (near === at) continue
      const center = walk[at] * dims
      change.fill(0)
      for (let draw = 0; draw <= NEGATIVES; draw++) {
        const node = draw === 0 ? walk[near] : drawNegative()
        if (draw > 0 && node === walk[near]) continue
        const other = node * dims
        let product = 0
        for (let i = 0; i < dims; i++) product += vectors[center + i] * contexts[other + i]
        const gradient = rate * ((draw === 0 ? 1 : 0) - 1 / (1 + Math.exp(-product)))
        for (let i = 0; i < dims; i++) {
          change[i] += gradient * contexts[other + i]
          contexts[other + i] += gradient * vectors[center + i]
        }
      }
      for (let i = 0; i < dims; i++) vectors[center + i] += change[i]
    }
}

function unitRows(vectors: Float32Array, graph: Csr, dims: number): Float32Array {
  for (let node = 0; node < graph.nodes; node++) {
    const row = vectors.subarray(node * dims, (node + 1) * dims)
    const length = Math.sqrt(row.reduce((sum, value) => sum + value * value, 0))
    if (degree(graph, node) === 0 || length === 0) row.fill(0)
    else for (let i = 0; i < dims; i++) row[i] /= length
  }
  return vectors
}
