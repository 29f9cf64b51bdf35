import { z } from 'zod'
import { promptFiles } from '../../models/prompts/prompt.ts'
import { appendRanking } from '../steps/append.ts'
import { keywordsOf } from '../steps/ask-keywords.ts'
import { fallback } from '../steps/fallback.ts'
import { embedKeywords } from '../steps/keywords.ts'
import { linkEntities, linkRelationships } from '../steps/link.ts'
import { count, pool, share } from '../steps/params.ts'
import { citePaths, findPaths, rankPaths, rankSources, sortRelationships } from '../steps/pathrag.ts'
import { refuseIdleRole, roleParams } from '../steps/roles.ts'
import { searchQuery } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

const HOLES = ['query']

/** Minimum cosine of linked entities and relationships: `cosine_better_than_threshold` of PathRAG. */
const ABOVE = 0.2

const params = z
  .strictObject({
    entities: count(40, 'entities linked by names', 200),
    relationships: count(40, 'relationships linked by themes'),
    threshold: share(0.3, 'a path stops if its flow is at most this'),
    decay: share(0.8, 'share of the flow that an edge passes on'),
    paths: count(15, 'maximum number of paths'),
    order: z
      .enum(['paths', 'sources'])
      .default('paths')
      .describe(
        "chunks of the paths first, or the order of the original's context, with paths as evidence only",
      ),
    pool: pool(),
    ...roleParams('finds the keywords, in place of rules', HOLES),
  })
  .superRefine(refuseIdleRole)

export default defineStrategy({
  name: 'pathrag',
  summary:
    'finds paths in a graph between entities that the query names, and ranks the chunks of the strongest paths',
  source: 'Chen et al., PathRAG, 2025; BUPT-GAMMA/PathRAG',
  params,
  files: promptFiles(HOLES),
  make: (params) => ({
    retrieve(query) {
      const { entities, relationships, threshold, decay, paths: most, pool: depth } = params
      const keywords = keywordsOf(query, params)
      const things = linkEntities([embedKeywords([keywords], { kind: 'low' })], { entities, above: ABOVE })
      const linked = linkRelationships([embedKeywords([keywords], { kind: 'high' })], {
        relationships,
        above: ABOVE,
      })
      const themes = sortRelationships([linked])
      const paths = findPaths([things], { threshold, decay, paths: most })
      const sources = rankSources([things, themes], { depth })
      const ranking =
        params.order === 'sources'
          ? sources
          : appendRanking([rankPaths([paths], { depth }), sources], { depth })
      const dense = searchQuery(query, depth)
      return {
        ranking: fallback(ranking, dense, 'no entity and no relationship is linked'),
        evidence: citePaths([things, themes, paths]),
      }
    },
  }),
})
