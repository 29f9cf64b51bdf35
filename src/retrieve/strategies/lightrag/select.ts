import { type Incidence, membersOf } from '../../../corpus/graph/csr.ts'
import type { EvidenceSizes, Graph } from '../../../corpus/graph/graph.ts'
import { cutToBudget, pollWeighted, roundRobin } from '../../../ranking/cut.ts'
import type { Mask } from '../../../ranking/mask.ts'
import { rankPairs } from '../../../ranking/order.ts'

/**
 * LightRAG's context around linked entities and relationships:
 *
 *     local    the entities; their relationships by (sum of degrees, weight)
 *     global   the relationships; the entities at their ends
 *     hybrid   both, alternating, local first
 *
 * each cut at a number of tokens. HKUDS/LightRAG, lightrag/operate.py, `kg_query`.
 */
const LIGHT_SIDES = ['local', 'global', 'hybrid'] as const
export type LightSides = (typeof LIGHT_SIDES)[number]

/** o200k tokens of entities and of relationships in the context: `max_entity_tokens` and `max_relation_tokens` of LightRAG. */
const ENTITY_TOKENS = 6000
const RELATIONSHIP_TOKENS = 8000

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

/** Cuts a selection to the token budgets. */
export function cutLight({ entities, relationships }: LightSelection, sizes: EvidenceSizes): LightSelection {
  return {
    entities: cutToBudget(entities, sizes.entity, ENTITY_TOKENS).rows,
    relationships: cutToBudget(relationships, sizes.relationship, RELATIONSHIP_TOKENS).rows,
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

/**
 * LightRAG's choice of chunks of entities or relationships (the owners, best first): a chunk belongs to the first owner
 * that mentions it; within an owner, chunks of more owners come first. Then
 *
 *     weight   weighted polling, from 5 chunks of the first owner to 1 of the last
 *     vector   the 5 x owners / 2 chunks with the best cosine to the query
 *
 * HKUDS/LightRAG, lightrag/operate.py, `_find_related_text_unit_from_entities` and `..._from_relations`.
 */
export const CHUNK_PICKS = ['vector', 'weight'] as const
export type ChunkPick = (typeof CHUNK_PICKS)[number]

/** `related_chunk_number` of LightRAG. */
const PER_OWNER = 5

/** Chunks of each owner that `mask` keeps, without those in `used`. Owners without chunks are left out. */
export function chunksOfOwners(
  owners: readonly number[],
  chunksOf: Incidence,
  used: ReadonlySet<number> = new Set(),
  mask?: Mask,
): number[][] {
  const occurrences = new Map<number, number>()
  const owned: number[][] = []
  for (const owner of owners) {
    const chunks: number[] = []
    let holds = false
    for (const chunk of membersOf(chunksOf, owner)) {
      if (used.has(chunk) || mask?.kept[chunk] === 0) continue
      holds = true
      const times = occurrences.get(chunk) ?? 0
      if (times === 0) chunks.push(chunk)
      occurrences.set(chunk, times + 1)
    }
    if (holds) owned.push(chunks)
  }
  for (const chunks of owned) chunks.sort((a, b) => (occurrences.get(b) ?? 0) - (occurrences.get(a) ?? 0))
  return owned
}

/** Picks from the chunks of each owner. `cosines` is called for `vector` only; ties: the higher row. */
export function pickChunks(
  owned: readonly (readonly number[])[],
  pick: ChunkPick,
  cosines: (chunks: readonly number[]) => ArrayLike<number>,
): number[] {
  if (owned.length === 0) return []
  if (pick === 'weight') return pollWeighted(owned, PER_OWNER, 1)
  const chunks = owned.flat()
  return Array.from(rankPairs(chunks, cosines(chunks), Math.floor((PER_OWNER * owned.length) / 2)).rows)
}
