import { z } from 'zod'
import type { Mask } from '../../ranking/mask.ts'
import { listItems, type MixedItem, projectItems } from '../../ranking/project.ts'
import type { Ranking } from '../../types.ts'
import { defineStep } from '../step.ts'
import { fallbackUnlinked } from '../steps/combine.ts'
import { anyLinked, citeListed, graphInput } from '../steps/entities.ts'
import { linkEntities, linkRelationships } from '../steps/link.ts'
import { count, pool, share } from '../steps/params.ts'
import { embedGraphQuery, searchQuery } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

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

export default defineStrategy({
  name: 'lightrag-simple',
  summary: 'finds the entities and relationships nearest to the query, and ranks their chunks by both',
  source: 'seed document 003, LightRAG',
  params: z.strictObject({
    entities: count(10, 'entities linked'),
    relationships: count(10, 'relationships linked'),
    entityWeight: share(0.6, 'weight of entities against relationships'),
    items: count(10, 'number of items returned as evidence'),
    pool: pool(),
  }),
  make: ({ entities, relationships, entityWeight, items, pool: depth }) => ({
    retrieve(query) {
      const vector = embedGraphQuery(query)
      const things = linkEntities([vector], { entities })
      const themes = linkRelationships([vector], { relationships })
      const linked = anyLinked([things, themes])
      const ranking = projectLinked([things, themes], { entityWeight, depth })
      const dense = searchQuery(query, depth)
      return {
        ranking: fallbackUnlinked(linked, ranking, dense, 'no entity and no relationship is linked'),
        evidence: citeListed([listLinked([things, themes], { entityWeight, items })]),
      }
    },
  }),
})
