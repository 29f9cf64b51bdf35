import { byEdges, byEntities, byRelationships, type Neighbors } from '../graph/chunk-neighbors.ts'
import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { graph } from './graph.ts'
import type { Recipe } from './recipe.ts'
import { titleLinks } from './title-links.ts'

/** What may make two chunks neighbours. */
export const NEIGHBORS = ['relationships', 'entities', 'titles'] as const

/** Which chunks are neighbours over a named graph. Kept in memory only. */
export function chunkNeighbors(recipe: Recipe, over: (typeof NEIGHBORS)[number]): Artifact<Neighbors> {
  const named = { name: 'chunk_neighbors', version: 1, params: { over } }
  if (over === 'titles')
    return defineArtifact({
      ...named,
      inputs: { links: titleLinks(recipe) },
      open: async (_folder, inputs) => byEdges((await inputs.links()).walk.csr),
    })
  return defineArtifact({
    ...named,
    inputs: { graph: graph(recipe) },
    open: async (_folder, inputs) =>
      (over === 'entities' ? byEntities : byRelationships)(await inputs.graph()),
  })
}
