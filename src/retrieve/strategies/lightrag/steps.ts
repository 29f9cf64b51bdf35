import { chunkSpans } from '../../../corpus/corpus.ts'
import { denseIndex } from '../../../corpus/dense/dense.ts'
import type { VectorIndex } from '../../../corpus/dense/vectors.ts'
import { membersOf } from '../../../corpus/graph/csr.ts'
import type { Graph } from '../../../corpus/graph/graph.ts'
import type { Recipe } from '../../../corpus/recipe.ts'
import { cutToBudget, roundRobin } from '../../../ranking/cut.ts'
import type { Mask } from '../../../ranking/mask.ts'
import { listItems, type MixedItem, projectItems } from '../../../ranking/mixed-list.ts'
import { EMPTY_RANKING, head } from '../../../ranking/order.ts'
import { rankList } from '../../../ranking/rank-list.ts'
import { derived } from '../../../store/artifact.ts'
import type { Evidence, Ranking } from '../../../types.ts'
import { defineStep } from '../../step.ts'
import { graphInput, textsInput } from '../../steps/entities.ts'
import type { Walked } from '../../walked.ts'
import {
  type ChunkPick,
  chunksOfOwners,
  cutLight,
  type LightSelection,
  type LightSides,
  pickChunks,
  selectLight,
} from './select.ts'

/** Entities and relationships of the context, from what was linked (`local`: entities; `global`: relationships; `hybrid`: both, in this order), cut at their budgets. */
export const selectLightContext = defineStep({
  name: 'select-light',
  version: 1,
  artifacts: (recipe, _params: { readonly sides: LightSides }) => ({
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

/** The selected entities and relationships as evidence. */
export const citeLight = defineStep({
  name: 'cite-light',
  version: 1,
  artifacts: (recipe, _params: null) => textsInput(recipe),
  run([{ entities, relationships }]: readonly [LightSelection], { artifacts: { texts } }) {
    return [...entities.map(texts.entity), ...relationships.map(texts.relationship)]
  },
})

type PickParams = { readonly pick: ChunkPick }

/** Common part of the steps that pick chunks of entities and of relationships. */
const picking = {
  channel: 'graph',
  yields: 'ranking',
  within: true,
  artifacts: (recipe: Recipe, _params: PickParams) => ({ ...graphInput(recipe), dense: denseIndex(recipe) }),
} as const

/** Walk from the entities of a context over the relationships of the context, to the chunks of its entities. */
function walkedLight(graph: Graph, { entities, relationships }: LightSelection): Walked {
  const { sources, targets } = graph.relationships
  const joined = new Map<number, number[]>()
  const join = (from: number, to: number) => joined.set(from, [...(joined.get(from) ?? []), to])
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

/** Tells the walk of a step whose first input is a context. */
const lightWalk = (recipe: Recipe) =>
  derived(
    'walked_light',
    graphInput(recipe),
    ({ graph }) =>
      ([selection]: readonly [LightSelection]) =>
        walkedLight(graph, selection),
  )

function pickOwned(owned: number[][], { pick }: PickParams, dense: VectorIndex, vector: Float32Array) {
  return rankList(pickChunks(owned, pick, (chunks) => dense.cosines(chunks, vector)))
}

/** Chunks picked behind the selected entities, by order. */
export const pickEntityChunks = defineStep({
  name: 'pick-entity-chunks',
  version: 1,
  walked: lightWalk,
  ...picking,
  run(
    [{ entities }, vector, mask]: readonly [LightSelection, Float32Array, Mask?],
    { params, artifacts: { graph, dense } },
  ) {
    const owned = chunksOfOwners(entities, graph.chunksOfEntity, undefined, mask)
    return pickOwned(owned, params, dense, vector)
  },
})

/** Chunks picked behind the selected relationships, by order, without those already picked behind entities. */
export const pickRelationshipChunks = defineStep({
  name: 'pick-relationship-chunks',
  version: 1,
  ...picking,
  run(
    [{ relationships }, vector, picked, mask]: readonly [LightSelection, Float32Array, Ranking, Mask?],
    { params, artifacts: { graph, dense } },
  ) {
    const owned = chunksOfOwners(relationships, graph.chunksOfRelationship, new Set(picked.rows), mask)
    return pickOwned(owned, params, dense, vector)
  },
})

/** Lists of chunks merged round-robin, as many chunks as fit with the evidence. */
export const rankLight = defineStep({
  name: 'rank-light',
  version: 1,
  yields: 'ranking',
  artifacts: (recipe, _params: { readonly contextTokens: number; readonly depth: number }) => ({
    chunks: chunkSpans(recipe),
  }),
  run(
    [evidence, ...rankings]: readonly [readonly Evidence[], ...Ranking[]],
    { params: { contextTokens, depth }, artifacts: { chunks } },
  ) {
    const used = evidence.reduce((sum, { tokens }) => sum + tokens, 0)
    const merged = roundRobin(rankings.map(({ rows }) => Array.from(rows))).slice(0, depth)
    return rankList(cutToBudget(merged, (row) => chunks[row].tokens, contextTokens - used).rows)
  },
})

/** The first `chunks` of a dense ranking with a cosine strictly above `above`. */
export const cutDense = defineStep<
  { readonly chunks: number; readonly above: number },
  [Ranking],
  Record<never, never>,
  Ranking
>({
  name: 'cut-dense',
  version: 1,
  yields: 'ranking',
  run([ranking], { params: { chunks, above } }) {
    return head(ranking, Math.min(chunks, ranking.scores.filter((score) => score > above).length))
  },
})

type ItemParams = { readonly entityWeight: number; readonly depth: number }

/** Chunks behind linked entities and relationships, each by the best of their weighted cosines. */
export const projectLinked = defineStep({
  name: 'project-items',
  version: 1,
  channel: 'graph',
  yields: 'ranking',
  within: true,
  artifacts: (recipe, _params: ItemParams) => graphInput(recipe),
  run([entities, relationships, mask]: readonly [Ranking, Ranking, Mask?], { params, artifacts: { graph } }) {
    return projectItems(
      { items: entities, holders: graph.chunksOfEntity },
      { items: relationships, holders: graph.chunksOfRelationship },
      params.entityWeight,
      params.depth,
      mask,
    )
  },
})

/** The first `items` of linked entities and relationships in one list. */
export const listLinked = defineStep<
  { readonly entityWeight: number; readonly items: number },
  [Ranking, Ranking],
  Record<never, never>,
  readonly MixedItem[]
>({
  name: 'list-items',
  version: 1,
  run: ([entities, relationships], { params: { entityWeight, items } }) =>
    listItems(entities, relationships, entityWeight, items),
})

/** Entities where any are linked, else relationships: whether it is empty says whether anything was linked. */
export const anyLinked = defineStep<null, [Ranking, Ranking], Record<never, never>, Ranking>({
  name: 'any-linked',
  version: 1,
  run: ([entities, relationships]) => (entities.rows.length > 0 ? entities : relationships),
})
