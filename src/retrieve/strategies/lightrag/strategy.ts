import { z } from 'zod'
import { promptFiles } from '../../../models/prompts/params.ts'
import type { Query, Ranking } from '../../../types.ts'
import type { Expression } from '../../step.ts'
import { keywordsOf } from '../../steps/ask-keywords.ts'
import { embedGraphQuery, embedQuery } from '../../steps/embed.ts'
import { engineName, searchDenseIn } from '../../steps/engine.ts'
import { citeListed } from '../../steps/entities.ts'
import { fallbackUnlinked } from '../../steps/fallback.ts'
import { embedKeywords } from '../../steps/keywords.ts'
import { linkEntities, linkRelationships } from '../../steps/link.ts'
import { pool } from '../../steps/params.ts'
import { refuseIdleRole, roleParams } from '../../steps/roles.ts'
import { defineStrategy, type StrategyOutput } from '../define.ts'
import { CHUNK_PICKS } from './select.ts'
import {
  anyLinked,
  citeLight,
  cutDense,
  listLinked,
  pickEntityChunks,
  pickRelationshipChunks,
  projectLinked,
  rankLight,
  selectLightContext,
} from './steps.ts'

/** Minimum cosine of linked entities, relationships and dense chunks: `COSINE_THRESHOLD` of LightRAG. */
const ABOVE = 0.2

const HOLES = ['query']

const params = z
  .strictObject({
    variant: z
      .enum(['lightrag', 'simple'])
      .default('lightrag')
      .describe('lightrag: HKUDS/LightRAG; simple: seed document 003'),
    mode: z
      .enum(['mix', 'hybrid', 'local', 'global'])
      .default('mix')
      .describe('search by entities, by relationships, by both, or mixed with dense search; lightrag'),
    entities: z.int().min(1).max(1000).optional().describe('entities linked: 40, with simple 10'),
    relationships: z.int().min(1).max(1000).optional().describe('relationships linked: 40, with simple 10'),
    chunks: z.int().min(1).max(1000).default(20).describe('dense chunks added; mix'),
    keep: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe(
        'maximum number of chunks after the merge, 20 in the original; default: all that fit; lightrag',
      ),
    pick: z
      .enum(CHUNK_PICKS)
      .default('vector')
      .describe('selection of chunks of linked entities and relationships; lightrag'),
    contextTokens: z
      .int()
      .min(0)
      .max(1_000_000)
      .default(30_000)
      .describe('o200k tokens of the whole context; lightrag'),
    entityWeight: z
      .number()
      .min(0)
      .max(1)
      .default(0.6)
      .describe('weight of entities against relationships; simple'),
    items: z.int().min(1).max(1000).default(10).describe('number of items returned as evidence; simple'),
    pool: pool(),
    engine: engineName('dense search, which it starts from or falls back to,'),
    ...roleParams('finds the keywords, in place of rules; lightrag', HOLES),
  })
  .superRefine((given, { addIssue }) => {
    const why = given.variant === 'lightrag' ? undefined : 'finds keywords with `variant: lightrag` only'
    refuseIdleRole(given, why, (param, message) => addIssue({ code: 'custom', path: [param], message }))
  })
type Params = z.output<typeof params>

/**
 * Search over two indexes, of entities and of relationships, and the chunks behind what they find.
 *
 *     lightrag  entities by the query's names, relationships by its themes (found by rules, or by a model); a ranking is round-robin
 *               over dense chunks (mix), chunks behind entities, chunks behind relationships
 *     simple    both by the query; 0.6 * entity's cosine, 0.4 * relationship's; a chunk scores its best
 *
 * If nothing is linked, the result is the dense ranking, counted as a fallback.
 */
export const lightrag = defineStrategy({
  name: 'lightrag',
  summary: "finds the entities and relationships nearest to the query's keywords, and ranks their chunks",
  source: 'Guo et al., 2024; HKUDS/LightRAG; seed document 003 (simple)',
  params,
  files: promptFiles(HOLES),
  retrieve({ query, params }) {
    const dense = searchDenseIn(params.engine, embedQuery([query], null), params.pool)
    const { linked, ranking, evidence } =
      params.variant === 'simple' ? simple(query, params) : light(query, dense, params)
    const ranked = fallbackUnlinked(linked, ranking, dense, 'no entity and no relationship is linked')
    return { ranking: ranked, evidence }
  },
})

type Linked = StrategyOutput & { readonly linked: Expression<Ranking> }

function light(query: Expression<Query>, dense: Expression<Ranking>, params: Params): Linked {
  const { mode, entities = 40, relationships = 40, chunks, pick, contextTokens, pool: depth } = params
  const keywords = keywordsOf(query, params)
  const things = linkEntities([embedKeywords([keywords], { kind: 'low' })], { entities, above: ABOVE })
  const themes = linkRelationships([embedKeywords([keywords], { kind: 'high' })], {
    relationships,
    above: ABOVE,
  })
  const sides = mode === 'mix' ? 'hybrid' : mode
  const sought = sides === 'local' ? [things] : sides === 'global' ? [themes] : [things, themes]
  const selection = selectLightContext(sought, { sides })
  const vector = embedQuery([query], null)
  const fromEntities = pickEntityChunks([selection, vector], { pick })
  const fromRelationships = pickRelationshipChunks([selection, vector, fromEntities], { pick })
  const evidence = citeLight([selection], null)
  const mixed = mode === 'mix' ? [cutDense([dense], { chunks, above: ABOVE })] : []
  const ranking = rankLight([evidence, ...mixed, fromEntities, fromRelationships], {
    contextTokens,
    depth: Math.min(params.keep ?? depth, depth),
  })
  const linked = mode === 'local' ? things : mode === 'global' ? themes : anyLinked([things, themes], null)
  return { linked, ranking, evidence }
}

function simple(query: Expression<Query>, params: Params): Linked {
  const { entities = 10, relationships = 10, entityWeight, items, pool: depth } = params
  const vector = embedGraphQuery(query)
  const things = linkEntities([vector], { entities })
  const themes = linkRelationships([vector], { relationships })
  const list = listLinked([things, themes], { entityWeight, items })
  const ranking = projectLinked([things, themes], { entityWeight, depth })
  return { linked: anyLinked([things, themes], null), ranking, evidence: citeListed([list], null) }
}
