import { type Artifact, defineArtifact } from '../store/artifact.ts'
import { entitiesTable } from './graph.ts'
import { graphVectors } from './graph-vectors.ts'
import type { Recipe } from './recipe.ts'
import type { VectorIndex } from './vectors.ts'

/**
 * Entities by the embedding of their name alone (HippoRAG), or of `name\ndescription`, which GraphRAG and LightRAG
 * share here so that a large graph is embedded once. Row = entity row.
 */
export function entityIndex(recipe: Recipe, text: 'name' | 'description'): Artifact<VectorIndex> {
  return graphVectors(recipe, text === 'name' ? 'entity_names' : 'entities', entityTexts(recipe, text))
}

/** What is embedded of each entity. */
export function entityTexts(recipe: Recipe, text: 'name' | 'description'): Artifact<readonly string[]> {
  return defineArtifact({
    name: 'entity_texts',
    version: 1,
    params: { text },
    inputs: { entities: entitiesTable(recipe) },
    async open(_folder, inputs) {
      const { keys, names, descriptions } = await inputs.entities()
      if (text === 'name') return keys
      return names.map((name, row) => (descriptions[row] === '' ? name : `${name}\n${descriptions[row]}`))
    },
  })
}
