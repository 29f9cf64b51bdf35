import { z } from 'zod'
import { promptFiles } from '../../models/prompts/prompt.ts'
import { keywordsOf } from '../steps/ask-keywords.ts'
import { embedQuery } from '../steps/embed.ts'
import { fallbackUnlinked } from '../steps/fallback.ts'
import { embedKeywords } from '../steps/keywords.ts'
import {
  anyLinked,
  CHUNK_PICKS,
  citeLight,
  cutDense,
  pickEntityChunks,
  pickRelationshipChunks,
  rankLight,
  selectLightContext,
} from '../steps/lightrag.ts'
import { linkEntities, linkRelationships } from '../steps/link.ts'
import { count, pool } from '../steps/params.ts'
import { refuseIdleRole, roleParams } from '../steps/roles.ts'
import { searchDense } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

/** Minimum cosine of linked entities, relationships and dense chunks: `COSINE_THRESHOLD` of LightRAG. */
const ABOVE = 0.2

const HOLES = ['query']

export default defineStrategy({
  name: 'lightrag',
  summary: "finds the entities and relationships nearest to the query's keywords, and ranks their chunks",
  source: 'Guo et al., 2024; HKUDS/LightRAG',
  params: z
    .strictObject({
      mode: z
        .enum(['mix', 'hybrid', 'local', 'global'])
        .default('mix')
        .describe('search by entities, by relationships, by both, or mixed with dense search'),
      entities: count(40, 'entities linked'),
      relationships: count(40, 'relationships linked'),
      chunks: count(20, 'dense chunks added; mix'),
      keep: z
        .int()
        .min(1)
        .max(10_000)
        .optional()
        .describe('maximum number of chunks after the merge, 20 in the original; default: all that fit'),
      pick: z
        .enum(CHUNK_PICKS)
        .default('vector')
        .describe('selection of chunks of linked entities and relationships'),
      contextTokens: z
        .int()
        .min(0)
        .max(1_000_000)
        .default(30_000)
        .describe('o200k tokens of the whole context'),
      pool: pool(),
      ...roleParams('finds the keywords, in place of rules', HOLES),
    })
    .superRefine(refuseIdleRole),
  files: promptFiles(HOLES),
  make: ({ mode, entities, relationships, chunks, keep, pick, contextTokens, pool: depth, ...role }) => ({
    retrieve(query) {
      const keywords = keywordsOf(query, role)
      const things = linkEntities([embedKeywords([keywords], { kind: 'low' })], { entities, above: ABOVE })
      const themes = linkRelationships([embedKeywords([keywords], { kind: 'high' })], {
        relationships,
        above: ABOVE,
      })
      const sides = mode === 'mix' ? 'hybrid' : mode
      const sought = sides === 'local' ? [things] : sides === 'global' ? [themes] : [things, themes]
      const selection = selectLightContext(sought, { sides })
      const vector = embedQuery([query])
      const dense = searchDense([vector], { depth })
      const fromEntities = pickEntityChunks([selection, vector], { pick })
      const fromRelationships = pickRelationshipChunks([selection, vector, fromEntities], { pick })
      const evidence = citeLight([selection])
      const mixed = mode === 'mix' ? [cutDense([dense], { chunks, above: ABOVE })] : []
      const ranking = rankLight([evidence, ...mixed, fromEntities, fromRelationships], {
        contextTokens,
        depth: Math.min(keep ?? depth, depth),
      })
      const linked = sought.length === 1 ? sought[0] : anyLinked([things, themes])
      return {
        ranking: fallbackUnlinked(linked, ranking, dense, 'no entity and no relationship is linked'),
        evidence,
      }
    },
  }),
})
