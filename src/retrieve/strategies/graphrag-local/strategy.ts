import { z } from 'zod'
import type { Query, Ranking } from '../../../types.ts'
import type { Expression } from '../../step.ts'
import { embedGraphQuery, embedQuery } from '../../steps/embed.ts'
import { engineName, searchDenseIn } from '../../steps/engine.ts'
import {
  citeListed,
  expandEntities,
  listNeighborhood,
  projectEntities,
  rankListed,
  rankReachedEntities,
} from '../../steps/entities.ts'
import { fallbackUnlinked } from '../../steps/fallback.ts'
import { hashNames, queryNames } from '../../steps/keywords.ts'
import { linkEntities, linkNames } from '../../steps/link.ts'
import { citeLocal, rankLocal, selectLocal } from '../../steps/local-search.ts'
import { pool } from '../../steps/params.ts'
import { defineStrategy, type StrategyOutput } from '../define.ts'

/** GraphRAG asks for twice as many entities as its setting says, and does not cut them back. */
const OVERSAMPLE = 2

/** Part of the context for chunks: `text_unit_prop` of GraphRAG. */
const SOURCE_SHARE = 0.5
/** Items of the seed document's list: its `top_k`. */
const ITEMS = 10

const params = z
  .strictObject({
    variant: z
      .enum(['graphrag', 'simple'])
      .default('graphrag')
      .describe('graphrag: Microsoft GraphRAG v3; simple: seed document 003'),
    link: z
      .enum(['embedding', 'names'])
      .default('embedding')
      .describe('links of entities to the query: by its embedding, or by each name in it'),
    names: z
      .string()
      .min(1)
      .optional()
      .meta({ path: true })
      .describe(
        'a file of names in the questions, found by another program; default: by rules; `link: names`',
      ),
    entities: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe('entities linked to the query: 10 (twice as many are read), with simple 5'),
    relationships: z
      .int()
      .min(0)
      .max(1000)
      .default(10)
      .describe('outgoing relationships per linked entity; graphrag'),
    contextTokens: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(12_000)
      .describe('o200k tokens of the whole context; graphrag'),
    reportShare: z
      .number()
      .min(0)
      .max(1 - SOURCE_SHARE)
      .default(0.15)
      .describe('part of the context for reports; chunks have half of it; graphrag'),
    communityLevel: z
      .int()
      .min(0)
      .max(100)
      .optional()
      .describe(
        'the deepest level of communities read, 0 is the coarsest; default: 2, or the deepest available; graphrag',
      ),
    hops: z.int().min(0).max(10).default(2).describe('hops from the linked entities; simple'),
    projection: z
      .enum(['max', 'sum', 'spread', 'constant'])
      .default('max')
      .describe('aggregation of entity scores to chunk scores; simple'),
    pool: pool(),
    engine: engineName('dense search, which it starts from or falls back to,'),
  })
  .refine(({ link, names }) => link === 'names' || names === undefined, {
    path: ['names'],
    error: 'are linked with `link: names` only',
  })
type Params = z.output<typeof params>

/**
 * Chunks around the entities that the query is linked to by the embedding of their descriptions.
 *
 *     graphrag  up to 20 entities; a ranking is the order of the context's sources: by order of their entity, then by
 *               how many of its relationships the chunk contains; then chunks behind relationships, then behind reports
 *     simple    5 entities and their neighbours within 2 hops; a chunk scores its best entity
 *
 * If no entity is linked, the result is the dense ranking, counted as a fallback.
 */
export const graphragLocal = defineStrategy({
  name: 'graphrag-local',
  summary:
    'finds the entities of a graph nearest to the query, and ranks the chunks that mention them or related entities',
  source: 'Edge et al., 2024; microsoft/graphrag v3, local search; seed document 003 (simple)',
  params,
  files: ({ names }): Readonly<Record<string, string>> =>
    names === undefined ? {} : { names: hashNames(names) },
  retrieve({ query, params }) {
    const { variant, entities = variant === 'simple' ? 5 : 10, pool: depth } = params
    const dense = searchDenseIn(params.engine, embedQuery([query], null), depth)
    const count = variant === 'simple' ? entities : OVERSAMPLE * entities
    const linked = link(query, params, count)
    const { ranking, evidence } = variant === 'simple' ? simple(linked, params) : graphrag(linked, params)
    return { ranking: fallbackUnlinked(linked, ranking, dense, 'no entity is linked'), evidence }
  },
})

function link(query: Expression<Query>, { link, names }: Params, count: number): Expression<Ranking> {
  if (link === 'embedding') return linkEntities([embedGraphQuery(query)], { entities: count })
  return rankReachedEntities([linkNames([queryNames(query, names)], null)], { depth: count })
}

function graphrag(linked: Expression<Ranking>, params: Params): StrategyOutput {
  const { relationships: relationshipsPerEntity, contextTokens, reportShare, communityLevel } = params
  const context = selectLocal([linked], {
    relationshipsPerEntity,
    contextTokens,
    sourceShare: SOURCE_SHARE,
    reportShare,
    communityLevel,
  })
  return { ranking: rankLocal([context], { depth: params.pool }), evidence: citeLocal([context], null) }
}

function simple(linked: Expression<Ranking>, { hops, projection, pool: depth }: Params): StrategyOutput {
  const list = listNeighborhood([linked], { hops, items: ITEMS })
  const evidence = citeListed([list], null)
  if (projection === 'constant') return { ranking: rankListed([list], null), evidence }
  return { ranking: projectEntities([expandEntities([linked], { hops })], { projection, depth }), evidence }
}
