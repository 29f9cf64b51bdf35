import { withinBudget } from '../ranking/budget.ts'
import { roundRobin } from '../ranking/polling.ts'
import type { EvidenceSizes } from './evidence-sizes.ts'
import type { Graph } from './graph.ts'
import { membersOf } from './incidence.ts'

/**
 * What LightRAG reads around linked entities and relationships:
 *
 *     local    the entities; their relationships by (sum of degrees, weight)
 *     global   the relationships; the entities at their ends
 *     hybrid   both, alternating, local first
 *
 * cut at a number of tokens each. HKUDS/LightRAG, lightrag/operate.py, `kg_query`.
 */
export const LIGHT_SIDES = ['local', 'global', 'hybrid'] as const
export type LightSides = (typeof LIGHT_SIDES)[number]

/** Rows, best first. */
export interface LightSelection {
  readonly entities: readonly number[]
  readonly relationships: readonly number[]
}

export function selectLight(
  entities: ArrayLike<number>,
  relationships: ArrayLike<number>,
  graph: Graph,
  sides: LightSides,
): LightSelection {
  const local = { entities: Array.from(entities), relationships: relationshipsOf(entities, graph) }
  if (sides === 'local') return local
  const { sources, targets } = graph.relationships
  const ends = Array.from(relationships).flatMap((row) => [sources[row], targets[row]])
  const global = { entities: [...new Set(ends)], relationships: Array.from(relationships) }
  if (sides === 'global') return global
  return {
    entities: roundRobin([local.entities, global.entities]),
    relationships: roundRobin([local.relationships, global.relationships]),
  }
}

/** What is left within the token budgets. */
export function cutLight(
  { entities, relationships }: LightSelection,
  sizes: EvidenceSizes,
  entityTokens: number,
  relationshipTokens: number,
): LightSelection {
  return {
    entities: withinBudget(entities, sizes.entity, entityTokens).rows,
    relationships: withinBudget(relationships, sizes.relationship, relationshipTokens).rows,
  }
}

function relationshipsOf(
  entities: ArrayLike<number>,
  { relationshipsOfEntity, relationships }: Graph,
): number[] {
  const { combinedDegrees, weights } = relationships
  const rows = new Set<number>()
  for (let i = 0; i < entities.length; i++)
    for (const row of membersOf(relationshipsOfEntity, entities[i])) rows.add(row)
  return [...rows].sort((a, b) => combinedDegrees[b] - combinedDegrees[a] || weights[b] - weights[a])
}
