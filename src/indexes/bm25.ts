import type { Artifact } from '../store/artifact.ts'
import type { Ranking } from '../types.ts'
import type { Recipe } from './recipe.ts'

export type Bm25Params = { k1: number; b: number; idf: 'lucene' | 'okapi'; stemmer: string; stopwords: string }

export interface Bm25Index {
  search(text: string, depth: number): Ranking
}

export function bm25Index(_recipe: Recipe, _params: Bm25Params): Artifact<Bm25Index> {
  throw new Error('being written')
}
