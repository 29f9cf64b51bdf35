import { chunkSpans } from '../../corpus/corpus.ts'
import { denseIndex } from '../../corpus/dense/dense.ts'
import type { VectorIndex } from '../../corpus/dense/vectors.ts'
import type { EvidenceSizes } from '../../corpus/evidence.ts'
import { type Incidence, membersOf } from '../../corpus/graph/csr.ts'
import type { Graph } from '../../corpus/graph/graph.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { addTo } from '../../maps.ts'
import { cutToBudget, pollWeighted, roundRobin } from '../../ranking/cut.ts'
import type { Mask } from '../../ranking/mask.ts'
import { listItems, type MixedItem, projectItems } from '../../ranking/mixed-list.ts'
import { EMPTY_RANKING, head, rankPairs } from '../../ranking/order.ts'
import { rankList } from '../../ranking/rank-list.ts'
import { derived } from '../../store/artifact.ts'
import type { Evidence, Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import type { Walked } from '../walked.ts'
import { graphInput, textsInput } from './entities.ts'

/**
 * LightRAG's context around linked entities and relationships, each cut at its tokens. HKUDS/LightRAG,
 * lightrag/operate.py, `kg_query`.
 *
 *     local    the entities; their relationships by (sum of degrees, weight)
 *     global   the relationships; the entities at their ends
 *     hybrid   both, alternating, local first
 */
const LIGHT_SIDES = ['local', 'global', 'hybrid'] as const
type LightSides = (typeof LIGHT_SIDES)[number]

/** o200k tokens of entities and of relationships in the context: `max_entity_tokens` and `max_relation_tokens` of LightRAG. */
const ENTITY_TOKENS = 6000
const RELATIONSHIP_TOKENS = 8000

/** Rows, best first. */
interface LightSelection {
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
 * LightRAG's choice of chunks of owners (entities or relationships, best first),
 * `_find_related_text_unit_from_entities`. A chunk belongs to its first owner; within an owner, chunks of more owners
 * come first.
 *
 *     weight   weighted polling, from 5 chunks of the first owner to 1 of the last
 *     vector   the 5 x owners / 2 chunks with the best cosine to the query
 */
export const CHUNK_PICKS = ['vector', 'weight'] as const
type ChunkPick = (typeof CHUNK_PICKS)[number]

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

export const selectLightContext = defineStep({
  name: 'select-light',
  artifacts: (recipe, _: { readonly sides: LightSides }) => ({
    ...graphInput(recipe),
    ...textsInput(recipe),
  }),
  run(linked: readonly Ranking[], { params, artifacts: { graph, texts } }) {
    const { sides } = params
    const entities = sides === 'global' ? EMPTY_RANKING : linked[0]
    const relationships = sides === 'local' ? EMPTY_RANKING : linked[linked.length - 1]
    const selection = selectLight(entities.rows, relationships.rows, graph, sides)
    return cutLight(selection, texts.sizes)
  },
})

export const citeLight = defineStep({
  name: 'cite-light',
  artifacts: (recipe) => textsInput(recipe),
  run([{ entities, relationships }]: [LightSelection], { artifacts: { texts } }) {
    return [...entities.map(texts.entity), ...relationships.map(texts.relationship)]
  },
})

type PickParams = { readonly pick: ChunkPick }

const picking = {
  channel: 'graph',
  within: true,
  artifacts: (recipe: Recipe, _: PickParams) => ({ ...graphInput(recipe), dense: denseIndex(recipe) }),
} as const

/** Walk from the entities of a context over the relationships of the context, to the chunks of its entities. */
function walkedLight(graph: Graph, { entities, relationships }: LightSelection): Walked {
  const { sources, targets } = graph.relationships
  const joined = new Map<number, number[]>()
  const join = (from: number, to: number) => addTo(joined, from, to)
  for (const row of relationships) {
    join(sources[row], targets[row])
    join(targets[row], sources[row])
  }
  // The earlier an entity stands in the context, the heavier it is as a start; ends of relationships come last.
  const nodes = [...new Set([...entities, ...joined.keys()])]
  return {
    starts: { nodes: Uint32Array.from(nodes), weights: Float64Array.from(nodes, (_, at) => 1 / (1 + at)) },
    neighbours: (entity) => joined.get(entity) ?? [],
    entries: (row) => membersOf(graph.entitiesOfChunk, row),
    endOf: (entity) => graph.entities.names[entity],
  }
}

const lightWalk = (recipe: Recipe) =>
  derived(
    'walked_light',
    graphInput(recipe),
    ({ graph }) =>
      ([selection]: [LightSelection]) =>
        walkedLight(graph, selection),
  )

function pickOwned(owned: number[][], { pick }: PickParams, dense: VectorIndex, vector: Float32Array) {
  return rankList(pickChunks(owned, pick, (chunks) => dense.cosines(chunks, vector)))
}

export const pickEntityChunks = defineStep({
  name: 'pick-entity-chunks',
  walked: lightWalk,
  ...picking,
  run(
    [{ entities }, vector, mask]: [LightSelection, Float32Array, Mask?],
    { params, artifacts: { graph, dense } },
  ) {
    const owned = chunksOfOwners(entities, graph.chunksOfEntity, undefined, mask)
    return pickOwned(owned, params, dense, vector)
  },
})

/** Chunks picked behind the selected relationships, by order, without those already picked behind entities. */
export const pickRelationshipChunks = defineStep({
  name: 'pick-relationship-chunks',
  ...picking,
  run(
    [{ relationships }, vector, picked, mask]: [LightSelection, Float32Array, Ranking, Mask?],
    { params, artifacts: { graph, dense } },
  ) {
    const owned = chunksOfOwners(relationships, graph.chunksOfRelationship, new Set(picked.rows), mask)
    return pickOwned(owned, params, dense, vector)
  },
})

export const rankLight = defineStep({
  name: 'rank-light',
  yields: 'ranking',
  artifacts: (recipe, _: { readonly contextTokens: number; readonly depth: number }) => ({
    chunks: chunkSpans(recipe),
  }),
  run(
    [evidence, ...rankings]: [readonly Evidence[], ...Ranking[]],
    { params: { contextTokens, depth }, artifacts: { chunks } },
  ) {
    const used = evidence.reduce((sum, { tokens }) => sum + tokens, 0)
    const merged = roundRobin(rankings.map(({ rows }) => Array.from(rows))).slice(0, depth)
    return rankList(cutToBudget(merged, (row) => chunks[row].tokens, contextTokens - used).rows)
  },
})

export const cutDense = defineStep<{ readonly chunks: number; readonly above: number }, [Ranking], Ranking>({
  name: 'cut-dense',
  yields: 'ranking',
  run([ranking], { params: { chunks, above } }) {
    return head(ranking, Math.min(chunks, ranking.scores.filter((score) => score > above).length))
  },
})

type ItemParams = { readonly entityWeight: number; readonly depth: number }

export const projectLinked = defineStep({
  name: 'project-items',
  channel: 'graph',
  within: true,
  artifacts: (recipe, _: ItemParams) => graphInput(recipe),
  run([entities, relationships, mask]: [Ranking, Ranking, Mask?], { params, artifacts: { graph } }) {
    return projectItems(
      { items: entities, holders: graph.chunksOfEntity },
      { items: relationships, holders: graph.chunksOfRelationship },
      params.entityWeight,
      params.depth,
      mask,
    )
  },
})

export const listLinked = defineStep<
  { readonly entityWeight: number; readonly items: number },
  [Ranking, Ranking],
  readonly MixedItem[]
>({
  name: 'list-items',
  run: ([entities, relationships], { params: { entityWeight, items } }) =>
    listItems(entities, relationships, entityWeight, items),
})

/** Entities where any are linked, else relationships: whether it is empty says whether anything was linked. */
export const anyLinked = defineStep<null, [Ranking, Ranking], Ranking>({
  name: 'any-linked',
  run: ([entities, relationships]) => (entities.rows.length > 0 ? entities : relationships),
})
