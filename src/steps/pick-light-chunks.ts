import { type ChunkPick, chunksOfOwners, pickChunks } from '../graph/light-chunks.ts'
import type { LightSelection } from '../graph/light-selection.ts'
import { denseIndex } from '../indexes/dense.ts'
import { graph } from '../indexes/graph.ts'
import type { Recipe } from '../indexes/recipe.ts'
import { rankList } from '../ranking/rank-list.ts'
import type { Ranking } from '../types.ts'
import { defineStep } from './step.ts'

type Params = { readonly pick: ChunkPick; readonly perOwner: number }

/** LightRAG: chunks picked behind the selected entities, by order. */
export const pickEntityChunks = defineStep<
  Params,
  [LightSelection, Float32Array],
  ReturnType<typeof needs>,
  Ranking
>({
  name: 'pick-entity-chunks',
  version: 1,
  channel: 'graph',
  yields: 'ranking',
  artifacts: needs,
  run([{ entities }, vector], { params: { pick, perOwner }, artifacts: { graph, dense } }) {
    const owned = chunksOfOwners(entities, graph.chunksOfEntity)
    return rankList(pickChunks(owned, pick, perOwner, (chunks) => dense.cosines(chunks, vector)))
  },
})

/** LightRAG: chunks picked behind the selected relationships, by order, without those already picked behind entities. */
export const pickRelationshipChunks = defineStep<
  Params,
  [LightSelection, Float32Array, Ranking],
  ReturnType<typeof needs>,
  Ranking
>({
  name: 'pick-relationship-chunks',
  version: 1,
  channel: 'graph',
  yields: 'ranking',
  artifacts: needs,
  run([{ relationships }, vector, picked], { params: { pick, perOwner }, artifacts: { graph, dense } }) {
    const owned = chunksOfOwners(relationships, graph.chunksOfRelationship, new Set(picked.rows))
    return rankList(pickChunks(owned, pick, perOwner, (chunks) => dense.cosines(chunks, vector)))
  },
})

function needs(recipe: Recipe) {
  return { graph: graph(recipe), dense: denseIndex(recipe) }
}
