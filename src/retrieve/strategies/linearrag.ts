import { z } from 'zod'
import { embedGraphQuery, embedQuery } from '../steps/embed.ts'
import { fallback } from '../steps/fallback.ts'
import { hashNames, namesFile, queryNames } from '../steps/keywords.ts'
import { bridgeEntities, walkTriGraph } from '../steps/linearrag.ts'
import { linkNames } from '../steps/link.ts'
import { count, damping, pool, share, weight } from '../steps/params.ts'
import { searchDense } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

const params = z.strictObject({
  names: namesFile(),
  tiers: count(3, 'tiers of activated entities; the first is those that the question names', 20),
  sentences: count(3, 'sentences of an entity that activate the entities in them', 100),
  threshold: share(0.4, 'minimum score of an activated entity'),
  passageRatio: weight(2, "weight of a passage's cosine relative to its entities", 100),
  passageWeight: weight(0.05, 'weight of passages relative to entities at the start of the walk', 100),
  damping: damping(0.5),
  pool: pool(),
})

export default defineStrategy({
  name: 'linearrag',
  summary:
    "ranks passages by a random walk (personalised PageRank) from the query's entities and from entities that share a sentence with them",
  source: 'Zhuang et al., LinearRAG (ICLR 2026); DEEP-PolyU/LinearRAG',
  params,
  files: hashNames,
  make: (params) => ({
    retrieve(query) {
      const { tiers, sentences, threshold, damping, passageRatio, passageWeight, pool: depth } = params
      const linked = linkNames([queryNames(query, params.names)])
      const activated = bridgeEntities([linked, embedGraphQuery(query)], { tiers, sentences, threshold })
      const vector = embedQuery([query])
      const walked = walkTriGraph([activated, vector], { damping, passageRatio, passageWeight, depth })
      return { ranking: fallback(walked, searchDense([vector], { depth }), 'the question names no entity') }
    },
  }),
})
