import { z } from 'zod'
import { fallbackUnlinked } from '../steps/combine.ts'
import { hashNames } from '../steps/keywords.ts'
import { linkBy, linkShape, refuseIdleNames } from '../steps/link.ts'
import { citeLocal, rankLocal, selectLocal } from '../steps/local-search.ts'
import { count, pool } from '../steps/params.ts'
import { searchQuery } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

/** GraphRAG asks for twice as many entities as its setting says, and does not cut them back. */
const OVERSAMPLE = 2

const SOURCE_SHARE = 0.5

export default defineStrategy({
  name: 'graphrag-local',
  summary:
    'finds the entities of a graph nearest to the query, and ranks the chunks that mention them or related entities',
  source: 'Edge et al., 2024; microsoft/graphrag v3, local search',
  params: z
    .strictObject({
      ...linkShape,
      entities: count(10, 'entities linked to the query (twice as many are read)'),
      relationships: z
        .int()
        .min(0)
        .max(1000)
        .default(10)
        .describe('outgoing relationships per linked entity'),
      contextTokens: count(12_000, 'o200k tokens of the whole context', 1_000_000),
      reportShare: z
        .number()
        .min(0)
        .max(1 - SOURCE_SHARE)
        .default(0.15)
        .describe('part of the context for reports; chunks have half of it'),
      communityLevel: z
        .int()
        .min(0)
        .max(100)
        .optional()
        .describe(
          'the deepest level of communities read, 0 is the coarsest; default: 2, or the deepest available',
        ),
      pool: pool(),
    })
    .superRefine(refuseIdleNames),
  files: hashNames,
  make: ({ entities, relationships: relationshipsPerEntity, pool: depth, link, names, ...budgets }) => ({
    retrieve(query) {
      const linked = linkBy(query, { link, names }, OVERSAMPLE * entities)
      const context = selectLocal([linked], { relationshipsPerEntity, sourceShare: SOURCE_SHARE, ...budgets })
      const dense = searchQuery(query, depth)
      const ranking = rankLocal([context], { depth })
      return {
        ranking: fallbackUnlinked(linked, ranking, dense, 'no entity is linked'),
        evidence: citeLocal([context]),
      }
    },
  }),
})
