import { z } from 'zod'
import { promptFiles } from '../../../models/prompts/params.ts'
import type { Query, Ranking } from '../../../types.ts'
import type { Expression } from '../../step.ts'
import { embedGraphQuery, embedQuery } from '../../steps/embed.ts'
import { engineName, searchDenseIn } from '../../steps/engine.ts'
import {
  citeEntities,
  listEntities,
  projectEntities,
  type ReachedEntities,
  rankReachedEntities,
  resetEqually,
  walkEntities,
} from '../../steps/entities.ts'
import { fallbackUnlinked } from '../../steps/fallback.ts'
import { hashNames, queryNames } from '../../steps/keywords.ts'
import { linkEntities, linkNames } from '../../steps/link.ts'
import { pool } from '../../steps/params.ts'
import { askedRole, modelValue, refuseIdleRole, roleParams } from '../../steps/roles.ts'
import { defineStrategy, type StrategyOutput } from '../define.ts'
import {
  filterFacts,
  linkFacts,
  NOT_COVERED,
  requireCoverage,
  walkHippo,
  weighPhrases,
  weighSpecificity,
} from './steps.ts'

const HOLES = ['query', 'facts']

/** Entities returned as evidence, and the length of the list of `constant`: `top_k` of seed document 003. */
const ITEMS = 10

const params = z
  .strictObject({
    variant: z
      .enum(['v2', 'v1', 'simple'])
      .default('v2')
      .describe('v2: ICML 2025; v1: NeurIPS 2024; simple: seed document 003'),
    names: z
      .string()
      .min(1)
      .optional()
      .meta({ path: true })
      .describe('a file of names in the questions, found by another program; default: by rules; v1'),
    damping: z
      .number()
      .min(0)
      .lt(1)
      .optional()
      .describe('probability of following an edge; 0.5, with simple 0.85'),
    facts: z.int().min(1).max(100).default(5).describe('facts linked to the query; v2'),
    phrases: z
      .int()
      .min(1)
      .max(200)
      .default(5)
      .describe('phrases of the facts from which the walk starts; v2'),
    passageWeight: z
      .number()
      .min(0)
      .max(100)
      .default(0.05)
      .describe('weight of passages in the start of the walk, by their cosine; v2'),
    entities: z.int().min(1).max(100).default(5).describe('entities linked to the query; simple'),
    projection: z
      .enum(['max', 'sum', 'spread', 'constant'])
      .optional()
      .describe(
        'aggregation of entity scores to chunk scores: sum with v1, max with simple; v2 ranks passages itself',
      ),
    pool: pool(),
    engine: engineName('dense search, which it starts from or falls back to,'),
    ...roleParams('selects the helpful facts among the linked ones; v2', HOLES),
  })
  .superRefine((given, { addIssue }) => {
    const why = given.variant === 'v2' ? undefined : 'keeps facts with `variant: v2` only'
    if (given.names !== undefined && given.variant !== 'v1')
      addIssue({ code: 'custom', path: ['names'], message: 'are linked with `variant: v1` only' })
    refuseIdleRole(given, why, (param, message) => addIssue({ code: 'custom', path: [param], message }))
  })
type Params = z.output<typeof params>

/**
 * A walk over a graph of phrases from what the query names, by personalised PageRank (damping = probability of
 * following an edge).
 *
 *     v2      query -> 5 facts by embedding -> 5 phrases; every passage starts with a little of its cosine; a passage
 *             scores its own PageRank. With `model` a language model keeps the facts that help; without, all 5 are kept.
 *     v1      names in the query -> nearest phrases, weight 1 / passages; a passage scores the sum over its phrases.
 *     simple  5 entities by embedding, equal weights, over relationships; a chunk scores its best entity.
 *
 * If nothing is linked, the result is the dense ranking, counted as a fallback; with v2 also if fewer than half of the 20 nearest
 * passages hold a phrase of a fact. (The original's filter, a language model, would leave none of the facts there.)
 */
export const hipporag = defineStrategy({
  name: 'hipporag',
  summary:
    'ranks passages by a random walk (personalised PageRank) in a graph of phrases and passages, from phrases that match the query',
  source:
    'Gutiérrez et al., ICML 2025 (v2), NeurIPS 2024 (v1); OSU-NLP-Group/HippoRAG; seed document 003 (simple)',
  params,
  files: (given) => ({
    ...promptFiles(HOLES)(given),
    ...(given.names !== undefined && { names: hashNames(given.names) }),
  }),
  retrieve({ query, params }) {
    const dense = searchDenseIn(params.engine, embedQuery([query], null), params.pool)
    const { linked, ranking, evidence } = VARIANTS[params.variant](query, params, dense)
    return { ranking: fallbackUnlinked(linked, ranking, dense, 'nothing is linked'), evidence }
  },
})

const NONE_KEPT = 'the model kept none of the facts'

/** `linked`: what the query was linked to, rows of facts or entities. */
type Linked = StrategyOutput & { readonly linked: Expression<Ranking> }

function walkV2(query: Expression<Query>, params: Params, dense: Expression<Ranking>): Linked {
  const { damping = 0.5, facts, phrases, passageWeight, pool: depth } = params
  const linked = linkFacts([embedGraphQuery(query)], { facts })
  const covered = requireCoverage([linked, dense], null)
  const asked = askedRole(params, 'filter-facts')
  const kept = asked ? modelValue(filterFacts([query, covered], asked)) : linked
  const reset = weighPhrases([kept], { phrases })
  const vector = embedQuery([query], null)
  const walked = walkHippo([reset, vector], { damping, passageWeight, depth })
  const helped = asked ? fallbackUnlinked(kept, walked, dense, NONE_KEPT) : walked
  return { linked, ranking: fallbackUnlinked(covered, helped, dense, NOT_COVERED) }
}

function walkV1(query: Expression<Query>, params: Params): Linked {
  const { damping = 0.5, projection = 'sum', pool: depth } = params
  const reset = weighSpecificity([linkNames([queryNames(query, params.names)], null)], null)
  const entities = walkEntities([reset], { edges: 'synonyms', damping })
  return { linked: entities, ranking: rankChunks(entities, projection, depth) }
}

function walkSimple(query: Expression<Query>, params: Params): Linked {
  const { damping = 0.85, projection = 'max', entities: count, pool: depth } = params
  const linked = linkEntities([embedGraphQuery(query)], { entities: count })
  const entities = walkEntities([resetEqually([linked], null)], { edges: 'relationships', damping })
  const ranking = rankChunks(entities, projection, depth)
  return {
    linked,
    ranking,
    evidence: citeEntities([rankReachedEntities([entities], { depth: ITEMS })], null),
  }
}

function rankChunks(
  entities: Expression<ReachedEntities>,
  projection: NonNullable<Params['projection']>,
  depth: number,
): Expression<Ranking> {
  if (projection === 'constant')
    return listEntities([rankReachedEntities([entities], { depth: ITEMS })], { items: ITEMS })
  return projectEntities([entities], { projection, depth })
}

const VARIANTS = { v2: walkV2, v1: walkV1, simple: walkSimple }
