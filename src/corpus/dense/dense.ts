import { type Artifact, derived } from '../../store/artifact.ts'
import { vectorsByParent } from '../chunks/by-parent.ts'
import { indexedTexts, units } from '../chunks/units.ts'
import type { Recipe } from '../recipe.ts'
import { embedTexts } from './embeddings.ts'
import { openVectors, type VectorIndex } from './vectors.ts'

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
