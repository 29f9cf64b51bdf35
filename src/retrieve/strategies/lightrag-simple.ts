import { z } from 'zod'
import { embedGraphQuery } from '../steps/embed.ts'
import { citeListed } from '../steps/entities.ts'
import { fallbackUnlinked } from '../steps/fallback.ts'
import { anyLinked, listLinked, projectLinked } from '../steps/lightrag.ts'
import { linkEntities, linkRelationships } from '../steps/link.ts'
import { count, pool, share } from '../steps/params.ts'
import { searchQuery } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

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
