import { join } from 'node:path'
import { readArrays, writeArrays } from '../../store/arrays.ts'
import { type Artifact, defineArtifact } from '../../store/artifact.ts'
import type { Recipe } from '../recipe.ts'
import { graph } from './artifacts.ts'
import { buildCsr, type Csr } from './csr.ts'
import type { Graph } from './graph.ts'
import { type Node2vecOptions, node2vec } from './node2vec.ts'

const FILE = 'vectors.safetensors'

/** A vector of each chunk, of length 1 (0 where it holds no entity), by its place in the graph of chunks and entities. */
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
    async open(folder) {
      return readArrays(join(folder, FILE)).arrays.vectors as Float32Array
    },
  })
}

/** Node r is chunk row r, node `chunks` + e entity e. A chunk is joined to its entities, weighing how often; entities as they are related. */
export function chunksAndEntities({ chunks, entities, chunksOfEntity, csr }: Graph): Csr {
  const [sources, targets, weights]: number[][] = [[], [], []]
  const { offsets, members, counts } = chunksOfEntity
  for (let entity = 0; entity < entities.size; entity++) {
    for (let i = offsets[entity]; i < offsets[entity + 1]; i++) {
      sources.push(chunks + entity)
      targets.push(members[i])
      weights.push(counts[i])
    }
    for (let i = csr.offsets[entity]; i < csr.offsets[entity + 1]; i++)
      if (csr.targets[i] > entity) {
        sources.push(chunks + entity)
        targets.push(chunks + csr.targets[i])
        weights.push(csr.weights[i])
      }
  }
  return buildCsr(chunks + entities.size, { sources, targets, weights }).csr
}
