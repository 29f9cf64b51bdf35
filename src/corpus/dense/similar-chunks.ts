import { join } from 'node:path'
import { type Artifact, defineArtifact } from '../../store/artifact.ts'
import { buildCsr, type Csr, readCsr, writeCsr } from '../graph/csr.ts'
import type { Recipe } from '../recipe.ts'
import { denseIndex } from './dense.ts'
import { laterNeighbours, nearestOfEach } from './near.ts'

/**
 * Semantic-similarity edges: each chunk chooses its `most` nearest others with a cosine of at least `threshold`. A pair
 * is joined if one chooses the other; the weight is the cosine. No extractor, since graphs are built before anything is
 * embedded.
 */
export interface Similarity {
  readonly threshold: number
  readonly most: number
}

export const SIMILAR: Similarity = { threshold: 0.8, most: 10 }

const FILE = 'similar.safetensors'

export function similarChunks(recipe: Recipe, { threshold, most }: Similarity): Artifact<Csr> {
  const whole = recipe.index ? { ...recipe, index: undefined } : recipe
  return defineArtifact({
    name: 'similar_chunks',
    version: 1,
    params: { threshold, most },
    inputs: { chunks: denseIndex(whole) },
    async build(folder, inputs, { progress }) {
      const index = await inputs.chunks()
      const { sources, targets, weights } = nearestOfEach(
        index.rows,
        laterNeighbours(index, threshold),
        most,
        { progress: (done, total) => progress('similar chunks', done, total) },
      )
      // A pair that both choose is one edge.
      const chosen = new Set(Array.from(sources, (source, i) => source * index.rows + targets[i]))
      const kept = Array.from(sources.keys()).filter(
        (i) => sources[i] < targets[i] || !chosen.has(targets[i] * index.rows + sources[i]),
      )
      const of = (column: ArrayLike<number>) => kept.map((i) => column[i])
      const { csr } = buildCsr(index.rows, {
        sources: of(sources),
        targets: of(targets),
        weights: of(weights),
      })
      writeCsr(join(folder, FILE), csr)
    },
    open: (folder) => readCsr(join(folder, FILE)).csr,
  })
}
