import { type Csr, type Incidence, membersOf } from '../../../corpus/graph/csr.ts'
import type { Graph } from '../../../corpus/graph/graph.ts'
import { relationshipsBetween } from '../../../corpus/graph/neighbors.ts'
import type { Mask } from '../../../ranking/mask.ts'
import { rankPairs } from '../../../ranking/order.ts'
import type { Ranking } from '../../../types.ts'
import { edgesOf, type FlowPath } from './flow.ts'

/**
 * Chunks of PathRAG's context, in its order:
 *
 *     of entities        by their first entity, then by how often a neighbour of their entities is in them too
 *     of relationships   by their first relationship
 *
 * BUPT-GAMMA/PathRAG, `_find_most_related_text_unit_from_entities`, `_find_related_text_unit_from_relationships`.
 */
export function chunksOfEntities(
  entities: readonly number[],
  { chunksOfEntity, entitiesOfChunk, csr }: Pick<Graph, 'chunksOfEntity' | 'entitiesOfChunk' | 'csr'>,
): number[] {
  const found = new Map<number, { order: number; neighbours: number }>()
  entities.forEach((entity, order) => {
    for (const chunk of membersOf(chunksOfEntity, entity)) {
      const neighbours = sharedWith(entity, chunk, csr, entitiesOfChunk)
      const known = found.get(chunk)
      if (known) known.neighbours += neighbours
      else found.set(chunk, { order, neighbours })
    }
  })
  return [...found]
    .sort(([, a], [, b]) => a.order - b.order || b.neighbours - a.neighbours)
    .map(([chunk]) => chunk)
}

/** Number of neighbours of an entity that a chunk holds. */
function sharedWith(
  entity: number,
  chunk: number,
  { offsets, targets }: Csr,
  entitiesOfChunk: Incidence,
): number {
  const inside = new Set(membersOf(entitiesOfChunk, chunk))
  return targets.subarray(offsets[entity], offsets[entity + 1]).filter((other) => inside.has(other)).length
}

export function chunksOfRelationships(
  relationships: readonly number[],
  { chunksOfRelationship }: Pick<Graph, 'chunksOfRelationship'>,
): number[] {
  return [...new Set(relationships.flatMap((row) => [...membersOf(chunksOfRelationship, row)]))]
}

/**
 * The chunks behind paths: each scores, over the paths, the sum of weight * the share of the path's edges whose
 * relationships were found in it. The projection is ours: the original puts the paths' texts into the prompt, which are
 * descriptions without a chunk.
 */
export function chunksOfPaths(paths: readonly FlowPath[], graph: Graph, depth: number, mask?: Mask): Ranking {
  const scores = new Map<number, number>()
  for (const { nodes, weight } of paths)
    for (const [from, to] of edgesOf(nodes)) {
      const edge = relationshipsBetween(from, to, graph)
      for (const chunk of chunksOfRelationships(edge, graph))
        if (mask?.kept[chunk] !== 0) scores.set(chunk, (scores.get(chunk) ?? 0) + weight / (nodes.length - 1))
    }
  return rankPairs([...scores.keys()], [...scores.values()], depth)
}
