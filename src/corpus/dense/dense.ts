import { EMPTY_RANKING, rankScores } from '../../ranking/order.ts'
import { type Artifact, derived } from '../../store/artifact.ts'
import { indexedTexts, units } from '../chunks/units.ts'
import type { Recipe } from '../recipe.ts'
import { embedTexts } from './embeddings.ts'
import { openVectors, type SearchOptions, type VectorIndex } from './vectors.ts'

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
 * Vector search over chunks by an index over their small units: a chunk scores as its best unit. `parents[unit]` is the
 * chunk's row, ascending; every chunk has at least one unit. All units are scored, for so many vectors at a time that their
 * scores are at most `held` numbers.
 */
export function vectorsByParent(index: VectorIndex, parents: Uint32Array, held = 2 ** 24): VectorIndex {
  const rows = (parents.at(-1) ?? -1) + 1
  const unitsOf: number[][] = Array.from({ length: rows }, () => [])
  parents.forEach((row, unit) => {
    unitsOf[row].push(unit)
  })
  // A zero vector is found by nothing, so it is no chunk's best unit; a chunk of such units alone has the score 0.
  const searched = unitsOf.map((units) =>
    units.filter((unit) => index.vector(unit).some((value) => value !== 0)),
  )
  const nonzero = Uint8Array.from(searched, ({ length }) => (length > 0 ? 1 : 0))
  const atOnce = Math.max(1, Math.floor(held / parents.length))
  const inParts = <T>(
    vectors: readonly Float32Array[],
    search: (part: readonly Float32Array[]) => T[],
  ): T[] =>
    vectors.flatMap((_, from) => (from % atOnce === 0 ? search(vectors.slice(from, from + atOnce)) : []))
  const bestOf = (all: Float32Array) =>
    Float32Array.from(searched, (units) =>
      units.length === 0
        ? 0
        : units.reduce((best, unit) => Math.max(best, all[unit]), Number.NEGATIVE_INFINITY),
    )
  const scores: VectorIndex['scores'] = (vectors) =>
    inParts(vectors, (part) => index.scores(part).map(bestOf))
  function searchWithMin(
    vectors: readonly Float32Array[],
    depth: number,
    { within, above }: SearchOptions = {},
  ) {
    const kept = within ? nonzero.map((byte, row) => byte & within.kept[row]) : nonzero
    return inParts(vectors, (part) =>
      scores(part).map((all, i) => {
        if (part[i].every((value) => value === 0)) return { ranking: EMPTY_RANKING, min: 0 }
        const searchedScores = all.filter((_, row) => kept[row] === 1)
        const min = searchedScores.length === 0 ? 0 : searchedScores.reduce((a, b) => Math.min(a, b))
        return { ranking: rankScores(all, depth, { above, within: kept }), min }
      }),
    )
  }
  return {
    rows,
    dims: index.dims,
    hasZeros: (within) => nonzero.some((byte, row) => byte === 0 && within?.kept[row] !== 0),
    search: (vectors, depth, options) => searchWithMin(vectors, depth, options).map(({ ranking }) => ranking),
    searchWithMin,
    cosines(chosen, vector) {
      const [all] = scores([vector])
      return Float32Array.from(chosen, (row) => all[row])
    },
    scores,
    /** The direction of the sum of its units. */
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
