import { type Artifact, derived } from '../../store/artifact.ts'
import { indexedTexts, units } from '../chunks/units.ts'
import type { Recipe } from '../recipe.ts'
import { embedTexts } from './embeddings.ts'
import { inBlocks, openVectors, searchByScores, type VectorIndex } from './vectors.ts'

export function denseIndex(recipe: Recipe): Artifact<VectorIndex> {
  const embeddings = embedTexts(recipe, 'chunks', indexedTexts(recipe))
  const parts = units(recipe)
  if (!parts)
    return derived('dense', { embeddings }, ({ embeddings }) =>
      openVectors(embeddings.vectors, embeddings.dims),
    )
  return derived('dense', { embeddings, units: parts }, ({ embeddings, units }) =>
    vectorsByParent(openVectors(embeddings.vectors, embeddings.dims), units.parents),
  )
}

/**
 * Vector search over chunks by their units: a chunk scores as its best unit. `parents[unit]` is the chunk's row,
 * ascending; every chunk has a unit. Scores at once are at most `maxScores` numbers.
 */
export function vectorsByParent(index: VectorIndex, parents: Uint32Array, maxScores = 2 ** 24): VectorIndex {
  const rows = (parents.at(-1) ?? -1) + 1
  const unitsOf: number[][] = Array.from({ length: rows }, () => [])
  parents.forEach((row, unit) => {
    unitsOf[row].push(unit)
  })
  // A zero vector is never found, so it is no chunk's best unit; a chunk of such units alone has the score 0.
  const searched = unitsOf.map((units) =>
    units.filter((unit) => index.vector(unit).some((value) => value !== 0)),
  )
  const nonzero = Uint8Array.from(searched, ({ length }) => (length > 0 ? 1 : 0))
  const atOnce = Math.max(1, Math.floor(maxScores / parents.length))
  const bestOf = (all: Float32Array) =>
    Float32Array.from(searched, (units) =>
      units.length === 0
        ? 0
        : units.reduce((best, unit) => Math.max(best, all[unit]), Number.NEGATIVE_INFINITY),
    )
  const scores = (vectors: readonly Float32Array[]) => index.scores(vectors).map(bestOf)
  return {
    rows,
    dims: index.dims,
    ...searchByScores(scores, nonzero, atOnce),
    cosines(chosen, vector) {
      const [all] = scores([vector])
      return Float32Array.from(chosen, (row) => all[row])
    },
    scores: (vectors) => inBlocks(vectors, atOnce, scores),
    vector(row) {
      const sum = new Float32Array(index.dims)
      for (const unit of unitsOf[row])
        index.vector(unit).forEach((value, i) => {
          sum[i] += value
        })
      const length = Math.hypot(...sum)
      return length === 0 ? sum : sum.map((value) => value / length)
    },
  }
}
