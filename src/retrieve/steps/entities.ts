import { evidenceTexts } from '../../corpus/evidence.ts'
import { membersOf, neighboursOf } from '../../corpus/graph/csr.ts'
import { graph } from '../../corpus/graph/extraction.ts'
import type { Graph } from '../../corpus/graph/graph.ts'
import { hippoGraphV1 } from '../../corpus/graph/hippo-graph.ts'
import { neighborhood } from '../../corpus/graph/neighbors.ts'
import { createWalk, type Reset } from '../../corpus/graph/pagerank.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { keepWithin, type Mask } from '../../ranking/mask.ts'
import { rankPairs } from '../../ranking/order.ts'
import { chunksOfList, hippoList, type MixedItem, project } from '../../ranking/project.ts'
import { derived } from '../../store/artifact.ts'
import type { Ranking } from '../../types.ts'
import { defineStep, type Expression, type Walked } from '../step.ts'
import { walkEach } from './walk.ts'

export const graphInput = (recipe: Recipe) => ({ graph: graph(recipe) })
export const textsInput = (recipe: Recipe) => ({ texts: evidenceTexts(recipe) })

/** Entities with scores, in no particular order: a walk reaches tens of thousands. */
export type ReachedEntities = Pick<Ranking, 'rows' | 'scores'>

/** `relationships`: entities joined by relationships. `synonyms`: HippoRAG 1's facts and synonym edges. */
type WalkParams = { readonly edges: 'relationships' | 'synonyms'; readonly damping: number }

const walkOver = (recipe: Recipe, { edges }: WalkParams) =>
  edges === 'synonyms'
    ? hippoGraphV1(recipe)
    : derived('entity_walk', graphInput(recipe), ({ graph }) => ({ walk: createWalk(graph.csr) }))

export const walkEntities = defineStep({
  name: 'entity-walk',
  version: 4,
  artifacts: (recipe, params: WalkParams) => ({ graph: walkOver(recipe, params) }),
  walked: (recipe, params) =>
    derived(
      `walked_${params.edges}`,
      { ...graphInput(recipe), over: walkOver(recipe, params) },
      ({ graph, over: { walk } }) =>
        ([starts]: [Reset]) =>
          walkedEntities(graph, starts, (entity) => neighboursOf(walk.csr, entity)),
    ),
  runBlock(block: readonly [Reset][], { params: { damping }, artifacts: { graph } }) {
    const resets = block.map(([reset]) => (reset.nodes.length > 0 ? reset : undefined))
    return walkEach(graph.walk, resets, damping, reachedBy) as ReachedEntities[]
  },
})

export function walkedEntities(
  { entities, entitiesOfChunk }: Graph,
  starts: Reset,
  neighbours: Walked['neighbours'],
): Walked {
  return {
    starts,
    neighbours,
    entries: (row) => membersOf(entitiesOfChunk, row),
    endOf: (entity) => entities.names[entity],
  }
}

function reachedBy(scores: Float64Array): ReachedEntities {
  const rows = Uint32Array.from(scores.keys()).filter((row) => scores[row] > 0)
  return { rows, scores: Float64Array.from(rows, (row) => scores[row]) }
}

export const resetEqually = defineStep<null, [Ranking], Reset>({
  name: 'reset-equally',
  run: ([{ rows }]) => ({ nodes: rows, weights: new Float64Array(rows.length).fill(1) }),
})

export const rankReachedEntities = defineStep<{ depth: number }, [ReachedEntities], Ranking>({
  name: 'rank-reached',
  run: ([{ rows, scores }], { params }) => rankPairs(rows, scores, params.depth),
})

/** The entities within `hops` of the linked ones. An entity h hops away scores the cosine of the nearest linked one / (1 + h). */
export const expandEntities = defineStep({
  name: 'expand-entities',
  artifacts: (recipe, _: { readonly hops: number }) => graphInput(recipe),
  walked: (recipe) =>
    derived('walked_hops', graphInput(recipe), ({ graph }) => ([{ rows, scores }]: [Ranking]) => {
      const starts = { nodes: rows, weights: scores }
      return walkedEntities(graph, starts, (entity) => neighboursOf(graph.csr, entity))
    }),
  run([linked]: [Ranking], { params, artifacts: { graph } }) {
    const reached = neighborhood(graph.csr, linked.rows, params.hops)
    return rankPairs(
      reached.map(({ node }) => node),
      reached.map(({ hops, from }) => linked.scores[from] / (1 + hops)),
      reached.length,
    )
  },
})

type Projected = { readonly projection: 'max' | 'sum'; readonly depth: number }

export const projectEntities = defineStep({
  name: 'project-entities',
  version: 2,
  channel: 'graph',
  within: true,
  artifacts: (recipe, _: Projected) => graphInput(recipe),
  run([entities, mask]: [ReachedEntities, Mask?], { params: { projection, depth }, artifacts }) {
    return project(entities, artifacts.graph.chunksOfEntity, projection, depth, mask)
  },
})

/** The seed's one list: the neighbourhood's entities, its relationships, two chunks of three linked entities. */
export const listNeighborhood = defineStep({
  name: 'list-neighborhood',
  artifacts: (recipe, _: { readonly hops: number; readonly items: number }) => graphInput(recipe),
  run([linked]: [Ranking], { params: { hops, items }, artifacts: { graph } }) {
    const { sources, targets } = graph.relationships
    const entities = neighborhood(graph.csr, linked.rows, hops).map(({ node }) => node)
    const list: MixedItem[] = entities.slice(0, items).map((row) => ({ kind: 'entity', row }))
    const inside = new Set(entities)
    const relationships = new Set<number>()
    for (const entity of entities)
      if (list.length + relationships.size < items)
        for (const row of membersOf(graph.relationshipsOfEntity, entity))
          if (inside.has(sources[row]) && inside.has(targets[row])) relationships.add(row)
    for (const row of relationships) list.push({ kind: 'relationship', row })
    for (const entity of linked.rows.subarray(0, 3))
      for (const row of membersOf(graph.chunksOfEntity, entity).subarray(0, 2))
        list.push({ kind: 'chunk', row })
    return list.slice(0, items)
  },
})

export const rankListed = defineStep<null, [readonly MixedItem[], Mask?], Ranking>({
  name: 'rank-listed',
  channel: 'graph',
  within: true,
  run: ([list, mask]) => keepWithin(chunksOfList(list, list.length), mask?.kept),
})

export const citeListed = defineStep({
  name: 'cite-listed',
  artifacts: textsInput,
  run([list]: [readonly MixedItem[]], { artifacts: { texts } }) {
    return list.flatMap(({ kind, row }) => (kind === 'chunk' ? [] : [texts[kind](row)]))
  },
})

/** The chunks in the seed's one list of ranked entities and chunks, cut at `items` (projection `constant`). */
const listEntities = defineStep({
  name: 'list-entities',
  channel: 'graph',
  within: true,
  artifacts: (recipe, _: { readonly items: number }) => graphInput(recipe),
  run([entities, mask]: [Ranking, Mask?], { params: { items }, artifacts: { graph } }) {
    const list = hippoList(entities.rows, (entity) => membersOf(graph.chunksOfEntity, entity), items)
    return keepWithin(chunksOfList(list, items), mask?.kept)
  },
})

/** Entities of the seed's list and of its evidence: its `top_k`. */
export const LISTED = 10

/** Chunks of walked entities, by a projection of their scores, or those of the seed's one list (`constant`). */
export function rankWalked(
  entities: Expression<ReachedEntities>,
  projection: Projected['projection'] | 'constant',
  depth: number,
): Expression<Ranking> {
  if (projection !== 'constant') return projectEntities([entities], { projection, depth })
  return listEntities([rankReachedEntities([entities], { depth: LISTED })], { items: LISTED })
}

export const citeEntities = defineStep({
  name: 'cite-entities',
  artifacts: textsInput,
  run([{ rows }]: [Ranking], { artifacts: { texts } }) {
    return Array.from(rows, texts.entity)
  },
})

/** Linked entities, or linked relationships if there are none. */
export const anyLinked = defineStep<null, [Ranking, Ranking], Ranking>({
  name: 'any-linked',
  run: ([entities, relationships]) => (entities.rows.length > 0 ? entities : relationships),
})
