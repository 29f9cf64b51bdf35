import { z } from 'zod'
import { rankWalked, walkEntities } from '../steps/entities.ts'
import { fallbackUnlinked } from '../steps/fallback.ts'
import { weighSpecificity } from '../steps/hipporag.ts'
import { hashNames, namesFile, queryNames } from '../steps/keywords.ts'
import { linkNames } from '../steps/link.ts'
import { damping, pool, projection } from '../steps/params.ts'
import { searchQuery } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

export default defineStrategy({
  name: 'hipporag-v1',
  summary:
    'ranks passages by a random walk (personalised PageRank) in a graph of phrases, from the names in the query',
  source: 'Gutiérrez et al., NeurIPS 2024; OSU-NLP-Group/HippoRAG',
  params: z.strictObject({
    names: namesFile(),
    damping: damping(0.5),
    projection: projection('sum'),
    pool: pool(),
  }),
  files: hashNames,
  make: ({ names, damping, projection, pool: depth }) => ({
    retrieve(query) {
      const reset = weighSpecificity([linkNames([queryNames(query, names)])])
      const entities = walkEntities([reset], { edges: 'synonyms', damping })
      const dense = searchQuery(query, depth)
      const ranking = rankWalked(entities, projection, depth)
      return { ranking: fallbackUnlinked(entities, ranking, dense, 'nothing is linked') }
    },
  }),
})
