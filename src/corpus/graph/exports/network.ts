import { chunkColumns } from '../../corpus.ts'
import type { Recipe } from '../../recipe.ts'
import { graph } from '../artifacts.ts'
import { membersOf } from '../csr.ts'
import type { Graph } from '../graph.ts'

/** A graph as lists of nodes and edges, which most formats hold. */
export interface Network {
  readonly nodes: readonly NetworkNode[]
  /** Directed, one for each ordered pair of entities. */
  readonly edges: readonly NetworkEdge[]
}

interface NetworkNode {
  /** Unique. */
  readonly name: string
  readonly type: string
  readonly description: string
  readonly degree: number
  /** Ids. */
  readonly chunks: readonly string[]
}

export interface NetworkEdge {
  readonly source: string
  readonly target: string
  readonly weight: number
  readonly description: string
  readonly keywords: string
  readonly relations: readonly string[]
  readonly chunks: readonly string[]
}

export const networkReads = (recipe: Recipe) => ({
  graph: graph(recipe),
  ids: chunkColumns(recipe, 'id'),
})

export function networkOf({
  graph: { entities, relationships, chunksOfEntity, chunksOfRelationship },
  ids,
}: {
  readonly graph: Graph
  readonly ids: readonly { readonly id: string }[]
}): Network {
  const { names } = entities
  return {
    nodes: names.map((name, row) => ({
      name,
      type: entities.types[row],
      description: entities.descriptions[row],
      degree: entities.degrees[row],
      chunks: Array.from(membersOf(chunksOfEntity, row), (chunk) => ids[chunk].id),
    })),
    edges: relationships.ids.map((_, row) => ({
      source: names[relationships.sources[row]],
      target: names[relationships.targets[row]],
      weight: relationships.weights[row],
      description: relationships.descriptions[row],
      keywords: relationships.keywords[row],
      relations: relationships.relations[row],
      chunks: Array.from(membersOf(chunksOfRelationship, row), (chunk) => ids[chunk].id),
    })),
  }
}

/** Separates the ids of chunks and joined descriptions, as in LightRAG's files. */
export const SEPARATOR = '<SEP>'

/** Edges of both directions as one: weights add up, texts are joined, in the order of the first. */
export function undirected(edges: readonly NetworkEdge[]): NetworkEdge[] {
  const pairs = new Map<string, NetworkEdge>()
  for (const edge of edges) {
    const key = JSON.stringify([edge.source, edge.target].sort())
    const known = pairs.get(key)
    pairs.set(key, known ? joined(known, edge) : edge)
  }
  return [...pairs.values()]
}

function joined(a: NetworkEdge, b: NetworkEdge): NetworkEdge {
  const both = (separator: string, ...texts: string[]) =>
    [...new Set(texts.flatMap((text) => text.split(separator)))].filter((text) => text !== '').join(separator)
  return {
    ...a,
    weight: a.weight + b.weight,
    description: both(SEPARATOR, a.description, b.description),
    keywords: both(', ', a.keywords, b.keywords),
    relations: [...new Set([...a.relations, ...b.relations])],
    chunks: [...new Set([...a.chunks, ...b.chunks])],
  }
}
