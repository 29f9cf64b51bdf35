import { type Artifact, derived } from '../../store/artifact.ts'
import { embedTexts } from '../dense/embeddings.ts'
import { openVectors, type VectorIndex } from '../dense/vectors.ts'
import type { Recipe } from '../recipe.ts'
import { entitiesTable, factsTable, graph } from './extraction.ts'
import { communityReports } from './reports/assemble.ts'

function graphVectors(recipe: Recipe, name: string, texts: Artifact<readonly string[]>) {
  const embeddings = embedTexts(recipe, name, texts, recipe.graphEmbedder ?? recipe.embedder)
  return derived('graph_vectors', { embeddings }, ({ embeddings }) =>
    openVectors(embeddings.vectors, embeddings.dims),
  )
}

/**
 * Entities by their key (HippoRAG), or by `name\ndescription`, which GraphRAG and LightRAG share so that a large
 * graph is embedded once.
 */
export function entityIndex(recipe: Recipe, text: 'name' | 'description'): Artifact<VectorIndex> {
  return graphVectors(recipe, text === 'name' ? 'entity_names' : 'entities', entityTexts(recipe, text))
}

function entityTexts(recipe: Recipe, text: 'name' | 'description'): Artifact<readonly string[]> {
  return derived(
    'entity_texts',
    { entities: entitiesTable(recipe) },
    ({ entities: { keys, names, descriptions } }) =>
      text === 'name'
        ? keys
        : names.map((name, row) => (descriptions[row] === '' ? name : `${name}\n${descriptions[row]}`)),
    { text },
  )
}

export function relationshipIndex(recipe: Recipe): Artifact<VectorIndex> {
  const texts = derived('relationship_texts', { graph: graph(recipe) }, ({ graph }) => {
    const { sources, targets, keywords, descriptions } = graph.relationships
    const name = (row: number) => graph.entities.names[row]
    return keywords.map(
      (words, row) => `${words}\t${name(sources[row])}\t${name(targets[row])}\n${descriptions[row]}`,
    )
  })
  return graphVectors(recipe, 'relationships', texts)
}

export function factIndex(recipe: Recipe): Artifact<VectorIndex> {
  const texts = derived('fact_texts', { facts: factsTable(recipe) }, ({ facts }) => facts.texts)
  return graphVectors(recipe, 'facts', texts)
}

export function reportIndex(recipe: Recipe): Artifact<VectorIndex> {
  const texts = derived(
    'report_texts',
    { reports: communityReports(recipe) },
    ({ reports }) => reports.summaries,
  )
  return graphVectors(recipe, 'reports', texts)
}
