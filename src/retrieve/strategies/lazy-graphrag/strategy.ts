import { z } from 'zod'
import { promptFiles } from '../../../models/prompts/params.ts'
import { appendRanking } from '../../steps/append.ts'
import { embedQuery } from '../../steps/embed.ts'
import { engineName, searchDenseIn } from '../../steps/engine.ts'
import { fallbackUnlinked } from '../../steps/fallback.ts'
import { pool } from '../../steps/params.ts'
import { askedRole, modelValue, refuseIdleRole, roleParams } from '../../steps/roles.ts'
import { defineStrategy } from '../define.ts'
import { rankRelevant, searchByModel, searchByWords } from './steps.ts'

const HOLES = ['query', 'passage']

const params = z
  .strictObject({
    budget: z
      .int()
      .min(1)
      .max(10_000)
      .default(100)
      .describe('maximum relevance tests per query; 100, 500 and 1,500 in the publication'),
    perCommunity: z
      .int()
      .min(1)
      .max(1000)
      .default(5)
      .describe('chunks of a community tested before the next community'),
    patience: z
      .int()
      .min(1)
      .max(1000)
      .default(3)
      .describe('communities in a row without a relevant chunk before the search goes deeper'),
    relevance: z
      .number()
      .min(0)
      .max(1)
      .default(0.5)
      .describe(
        "minimum share of the weight of the query's words in a sentence of a relevant chunk; without `model`",
      ),
    pool: pool(),
    engine: engineName('dense search, which it falls back to,'),
    ...roleParams('tests the relevance of chunks, one call each, in place of a rule', HOLES),
  })
  .superRefine((given, { addIssue }) => {
    refuseIdleRole(given, undefined, (param, message) => addIssue({ code: 'custom', path: [param], message }))
  })

/**
 * Chunks that are tested for relevance, best first through the communities of a graph that no model built, within a budget of
 * tests. The relevant chunks come first, nearest to the query first, then the dense ranking. If none is relevant, the result is the
 * dense ranking, counted as a fallback. The original's subqueries and the claims that it extracts for an answer are left out.
 */
export const lazyGraphrag = defineStrategy({
  name: 'lazy-graphrag',
  summary:
    'searches groups of related entities (communities), the best first, and tests their chunks for relevance within a budget',
  source: 'Edge et al., LazyGraphRAG, Microsoft Research, 2024',
  params,
  files: promptFiles(HOLES),
  retrieve({ query, params }) {
    const { budget, perCommunity, patience, relevance, pool: depth } = params
    const options = { budget, perCommunity, patience }
    const vector = embedQuery([query], null)
    const asked = askedRole(params, 'test-relevance')
    const found = asked
      ? modelValue(searchByModel([query, vector], { ...asked, ...options }))
      : searchByWords([query, vector], { ...options, relevance })
    const relevant = rankRelevant([found], null)
    const dense = searchDenseIn(params.engine, vector, depth)
    const ranking = appendRanking([relevant, dense], { depth })
    return { ranking: fallbackUnlinked(relevant, ranking, dense, 'no chunk is relevant') }
  },
})
