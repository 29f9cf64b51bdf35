import type { Artifact } from '../store/artifact.ts'
import type { Ranking } from '../types.ts'
import type { Recipe } from './recipe.ts'

export interface DenseIndex {
  search(vectors: readonly Float32Array[], depth: number): Ranking[]
}

export function denseIndex(_recipe: Recipe): Artifact<DenseIndex> {
  throw new Error('being written')
}
