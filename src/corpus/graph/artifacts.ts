import { type Artifact, derived } from '../../store/artifact.ts'
import type { Recipe } from '../recipe.ts'
import { extraction } from './extraction.ts'
import type { Entities, FactTable, Graph, Relationships } from './graph.ts'
import { factText } from './merge-facts.ts'
import { type GraphStatistics, graphStatistics } from './statistics.ts'

export function graph(recipe: Recipe): Artifact<Graph> {
  return derived('opened_graph', { extracted: extraction(recipe) }, ({ extracted }) => extracted.graph())
}

export function entitiesTable(recipe: Recipe): Artifact<Entities> {
  return derived('entities', { graph: graph(recipe) }, ({ graph }) => graph.entities)
}

export function relationshipsTable(recipe: Recipe): Artifact<Relationships> {
  return derived('relationships', { graph: graph(recipe) }, ({ graph }) => graph.relationships)
}

export function factsTable(recipe: Recipe): Artifact<FactTable> {
  return derived(
    'facts',
    { extracted: extraction(recipe), graph: graph(recipe) },
    async ({ extracted, graph: { entities } }) => {
      const { subjects, predicates, objects, counts } = await extracted.facts()
      const texts = predicates.map((predicate, row) =>
        factText(entities.keys[subjects[row]], predicate, entities.keys[objects[row]]),
      )
      return { size: texts.length, subjects, objects, texts, counts }
    },
  )
}

/**
 * Counts that describe the graph of `prepare.graph`. Synonym edges are not counted here, since they need embeddings.
 */
export function statisticsOfGraph(recipe: Recipe): Artifact<GraphStatistics> {
  return derived(
    'graph_statistics',
    { graph: graph(recipe), extracted: extraction(recipe) },
    ({ graph, extracted }) => graphStatistics(graph, extracted.counts),
  )
}
