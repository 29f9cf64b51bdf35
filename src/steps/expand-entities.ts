import { membersOf } from '../graph/incidence.ts'
import { neighborhood } from '../graph/neighborhood.ts'
import { evidenceTexts } from '../indexes/evidence.ts'
import { graph } from '../indexes/graph.ts'
import type { Recipe } from '../indexes/recipe.ts'
import { chunksOfList, type MixedItem } from '../ranking/mixed-list.ts'
import { rankPairs } from '../ranking/order.ts'
import type { Evidence, Ranking } from '../types.ts'
import { defineStep } from './step.ts'

type Hops = { readonly hops: number }

/** The entities within `hops` of the linked ones. One that lies h hops off scores the cosine of the nearest linked one / (1 + h). */
export const expandEntities = defineStep<Hops, [Ranking], ReturnType<typeof needs>, Ranking>({
  name: 'expand-entities',
  version: 1,
  artifacts: needs,
  run([linked], { params: { hops }, artifacts: { graph } }) {
    const reached = neighborhood(graph.csr, linked.rows, hops)
    return rankPairs(
      reached.map(({ node }) => node),
      reached.map(({ hops, from }) => linked.scores[from] / (1 + hops)),
      reached.length,
    )
  },
})

type ListParams = Hops & { readonly items: number }

/** The first `items` of the seed's one list: the neighbourhood's entities, its relationships, two chunks of three linked entities. */
export const listNeighborhood = defineStep<
  ListParams,
  [Ranking],
  ReturnType<typeof needs>,
  readonly MixedItem[]
>({
  name: 'list-neighborhood',
  version: 1,
  artifacts: needs,
  run([linked], { params: { hops, items }, artifacts: { graph } }) {
    const { sources, targets } = graph.relationships
    const entities = neighborhood(graph.csr, linked.rows, hops).map(({ node }) => node)
    const list: MixedItem[] = entities.slice(0, items).map((row) => ({ kind: 'entity', row }))
    const inside = new Set(entities)
    const within = new Set<number>()
    for (const entity of entities)
      if (list.length + within.size < items)
        for (const row of membersOf(graph.relationshipsOfEntity, entity))
          if (inside.has(sources[row]) && inside.has(targets[row])) within.add(row)
    for (const row of within) list.push({ kind: 'relationship', row })
    for (const entity of linked.rows.subarray(0, 3))
      for (const row of membersOf(graph.chunksOfEntity, entity).subarray(0, 2))
        list.push({ kind: 'chunk', row })
    return list.slice(0, items)
  },
})

/** The chunks of such a list (projection `constant`). */
export const rankListed = defineStep<null, [readonly MixedItem[]], Record<never, never>, Ranking>({
  name: 'rank-listed',
  version: 1,
  channel: 'graph',
  yields: 'ranking',
  run([list]) {
    return chunksOfList(list, list.length)
  },
})

/** The entities and relationships of such a list as evidence. */
export const citeListed = defineStep<
  null,
  [readonly MixedItem[]],
  ReturnType<typeof texts>,
  readonly Evidence[]
>({
  name: 'cite-listed',
  version: 1,
  artifacts: texts,
  run([list], { artifacts: { texts } }) {
    return list.flatMap(({ kind, row }) => (kind === 'chunk' ? [] : [texts[kind](row)]))
  },
})

function needs(recipe: Recipe) {
  return { graph: graph(recipe) }
}

function texts(recipe: Recipe) {
  return { texts: evidenceTexts(recipe) }
}
