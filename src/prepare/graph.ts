import { UserError } from '../errors.ts'
import type { Entities, Facts, Graph, Relationships } from '../graph/graph.ts'
import { factText } from '../graph/merge-facts.ts'
import { byEdges, byEntities, byRelationships, type Kinds, type Neighbors } from '../graph/neighbors.ts'
import { type GraphStatistics, graphStatistics } from '../graph/statistics.ts'
import { type Artifact, derived } from '../store/artifact.ts'
import { didYouMean } from '../text/nearest.ts'
import { extraction } from './extraction.ts'
import type { Recipe } from './recipe.ts'
import { titleLinks } from './title-links.ts'

/** The graph of what `prepare.graph`'s extractors found together. */
export function graph(recipe: Recipe): Artifact<Graph> {
  return derived('opened_graph', { extracted: extraction(recipe) }, ({ extracted }) => extracted.graph())
}

export function entitiesTable(recipe: Recipe, of = graph(recipe)): Artifact<Entities> {
  return derived('entities', { graph: of }, ({ graph }) => graph.entities)
}

export function relationshipsTable(recipe: Recipe): Artifact<Relationships> {
  return derived('relationships', { graph: graph(recipe) }, ({ graph }) => graph.relationships)
}

/** HippoRAG's distinct facts. */
export function factsTable(recipe: Recipe): Artifact<Facts> {
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

/** What the graph of `prepare.graph` is like. The number of synonym edges is `synonymy(recipe)`'s length: finding them needs embeddings. */
export function statisticsOfGraph(recipe: Recipe): Artifact<GraphStatistics> {
  return derived(
    'graph_statistics',
    { graph: graph(recipe), extracted: extraction(recipe) },
    ({ graph, extracted }) => graphStatistics(graph, extracted.counts),
  )
}

/** What may make two chunks neighbours. */
export const NEIGHBORS = ['relationships', 'entities', 'titles'] as const

/** Which chunks are neighbours over a named graph; `kinds` of relationships. */
export function chunkNeighbors(
  recipe: Recipe,
  over: (typeof NEIGHBORS)[number],
  kinds?: Kinds,
): Artifact<Neighbors> {
  const name = 'chunk_neighbors'
  if (over === 'titles')
    return derived(name, { links: titleLinks(recipe) }, ({ links }) => byEdges(links.csr), { over })
  return derived(
    name,
    { graph: graph(recipe) },
    ({ graph }) => (over === 'entities' ? byEntities(graph) : byRelationships(graph, kinds)),
    { over, ...(kinds && { kinds: { ...kinds } }) },
  )
}

/** Opening it throws a UserError where the graph has no relationship of a kind. */
export function askedRelations(
  recipe: Recipe,
  { relations = [], without = [] }: Kinds,
): Artifact<unknown> | undefined {
  const asked = [...relations, ...without]
  if (asked.length === 0) return undefined
  return derived(
    'asked_relations',
    { relationships: relationshipsTable(recipe) },
    ({ relationships }) => {
      const known = [...new Set(relationships.relations.flat())].sort()
      const missing = asked.filter((name) => !known.includes(name))
      if (missing.length === 0) return null
      const there = known.length === 0 ? 'its relationships are of no kind' : `there are ${known.join(', ')}`
      throw new UserError(
        missing.map((name) => ({
          message: `the graph has no relation \`${name}\`${didYouMean(name, known)}; ${there}`,
        })),
      )
    },
    { asked },
  )
}
