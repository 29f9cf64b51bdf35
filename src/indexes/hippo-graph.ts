import type { HippoGraph, PhraseGraph } from '../graph/graph.ts'
import type { Artifact } from '../store/artifact.ts'
import type { Recipe } from './recipe.ts'

/** HippoRAG 2's graph of phrases and passages, with synonym edges. */
export function hippoGraph(_recipe: Recipe): Artifact<HippoGraph> {
  throw new Error('being written')
}

/** HippoRAG 1's graph of phrases, with synonym edges. */
export function hippoGraphV1(_recipe: Recipe): Artifact<PhraseGraph> {
  throw new Error('being written')
}
