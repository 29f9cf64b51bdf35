import { z } from 'zod'
import { fallbackUnlinked } from '../steps/combine.ts'
import {
  citeEntities,
  LISTED,
  rankReachedEntities,
  rankWalked,
  resetEqually,
  walkEntities,
} from '../steps/entities.ts'
import { linkEntities } from '../steps/link.ts'
import { count, damping, pool, projection } from '../steps/params.ts'
import { embedGraphQuery, searchQuery } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

export default defineStrategy({
  name: 'hipporag-simple',
  summary:
    'ranks chunks by a random walk (personalised PageRank) over the entities of a graph, from those nearest to the query',
  source: 'seed document 003, HippoRAG',
  params: z.strictObject({
    damping: damping(0.85),
    entities: count(5, 'entities linked to the query', 100),
    projection: projection('max'),
    pool: pool(),
  }),
  make: ({ damping, entities: count, projection, pool: depth }) => ({
    retrieve(query) {
      const linked = linkEntities([embedGraphQuery(query)], { entities: count })
      const entities = walkEntities([resetEqually([linked])], { edges: 'relationships', damping })
      const dense = searchQuery(query, depth)
      const ranking = rankWalked(entities, projection, depth)
      return {
        ranking: fallbackUnlinked(linked, ranking, dense, 'nothing is linked'),
        evidence: citeEntities([rankReachedEntities([entities], { depth: LISTED })]),
      }
    },
  }),
})
