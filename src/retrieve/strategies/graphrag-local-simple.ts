import { z } from 'zod'
import { fallbackUnlinked } from '../steps/combine.ts'
import {
  citeListed,
  expandEntities,
  LISTED,
  listNeighborhood,
  projectEntities,
  rankListed,
} from '../steps/entities.ts'
import { hashNames } from '../steps/keywords.ts'
import { linkBy, linkShape, refuseIdleNames } from '../steps/link.ts'
import { count, pool, projection } from '../steps/params.ts'
import { searchQuery } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

export default defineStrategy({
  name: 'graphrag-local-simple',
  summary: 'finds the entities of a graph nearest to the query and their neighbours, and ranks their chunks',
  source: 'seed document 003, GraphRAG local search',
  params: z
    .strictObject({
      ...linkShape,
      entities: count(5, 'entities linked to the query'),
      hops: z.int().min(0).max(10).default(2).describe('hops from the linked entities'),
      projection: projection('max'),
      pool: pool(),
    })
    .superRefine(refuseIdleNames),
  files: hashNames,
  make: ({ entities, hops, projection, pool: depth, ...how }) => ({
    retrieve(query) {
      const linked = linkBy(query, how, entities)
      const list = listNeighborhood([linked], { hops, items: LISTED })
      const ranking =
        projection === 'constant'
          ? rankListed([list])
          : projectEntities([expandEntities([linked], { hops })], { projection, depth })
      const dense = searchQuery(query, depth)
      return {
        ranking: fallbackUnlinked(linked, ranking, dense, 'no entity is linked'),
        evidence: citeListed([list]),
      }
    },
  }),
})
