import { z } from 'zod'
import { promptFiles } from '../../../models/prompts/params.ts'
import { appendRanking } from '../../steps/append.ts'
import { keywordsOf } from '../../steps/ask-keywords.ts'
import { embedQuery } from '../../steps/embed.ts'
import { engineName, searchDenseIn } from '../../steps/engine.ts'
import { fallback } from '../../steps/fallback.ts'
import { embedKeywords } from '../../steps/keywords.ts'
import { linkEntities, linkRelationships } from '../../steps/link.ts'
import { pool } from '../../steps/params.ts'
import { refuseIdleRole, roleParams } from '../../steps/roles.ts'
import { defineStrategy } from '../define.ts'
import { citePaths, findPaths, rankPaths, rankSources, sortRelationships } from './steps.ts'

const HOLES = ['query']

/** Minimum cosine of linked entities and relationships: `cosine_better_than_threshold` of PathRAG. */
const ABOVE = 0.2

const params = z
  .strictObject({
    entities: z.int().min(1).max(200).default(40).describe('entities linked by names'),
    relationships: z.int().min(1).max(1000).default(40).describe('relationships linked by themes'),
    threshold: z.number().min(0).max(1).default(0.3).describe('a path stops if its flow is at most this'),
    decay: z.number().min(0).max(1).default(0.8).describe('share of the flow that an edge passes on'),
    paths: z.int().min(1).max(1000).default(15).describe('maximum number of paths'),
    order: z
      .enum(['paths', 'sources'])
      .default('paths')
      .describe(
        "chunks of the paths first, or the order of the original's context, with paths as evidence only",
      ),
    pool: pool(),
    engine: engineName('dense search, which it starts from or falls back to,'),
    ...roleParams('finds the keywords, in place of rules', HOLES),
  })
  .superRefine((given, { addIssue }) => {
    refuseIdleRole(given, undefined, (param, message) => addIssue({ code: 'custom', path: [param], message }))
  })

/**
 * Paths between the entities that the query names, pruned by the flow that reaches them, and the chunks behind them; then the
 * chunks of relationships that fit the query's themes, and of the entities. If nothing is found, the result is the dense
 * ranking, counted as a fallback.
 */
export const pathrag = defineStrategy({
  name: 'pathrag',
  summary:
    'finds paths in a graph between entities that the query names, and ranks the chunks of the strongest paths',
  source: 'Chen et al., PathRAG, 2025; BUPT-GAMMA/PathRAG',
  params,
  files: promptFiles(HOLES),
  retrieve({ query, params }) {
    const { entities, relationships, threshold, decay, paths: most, pool: depth } = params
    const keywords = keywordsOf(query, params)
    const things = linkEntities([embedKeywords([keywords], { kind: 'low' })], { entities, above: ABOVE })
    const linked = linkRelationships([embedKeywords([keywords], { kind: 'high' })], {
      relationships,
      above: ABOVE,
    })
    const themes = sortRelationships([linked], null)
    const paths = findPaths([things], { threshold, decay, paths: most })
    const sources = rankSources([things, themes], { depth })
    const found =
      params.order === 'sources'
        ? sources
        : appendRanking([rankPaths([paths], { depth }), sources], { depth })
    const dense = searchDenseIn(params.engine, embedQuery([query], null), depth)
    return {
      ranking: fallback(found, dense, 'no entity and no relationship is linked'),
      evidence: citePaths([things, themes, paths], null),
    }
  },
})
