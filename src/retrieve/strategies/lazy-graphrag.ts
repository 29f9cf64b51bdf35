import { z } from 'zod'
import { promptFiles } from '../../models/prompts/prompt.ts'
import { appendRanking } from '../steps/append.ts'
import { embedQuery } from '../steps/embed.ts'
import { fallbackUnlinked } from '../steps/fallback.ts'
import { rankRelevant, searchByModel, searchByWords } from '../steps/lazy-graphrag.ts'
import { count, pool, share } from '../steps/params.ts'
import { askedRole, refuseIdleRole, roleParams } from '../steps/roles.ts'
import { searchDense } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

const HOLES = ['query', 'passage']

const params = z
  .strictObject({
    budget: count(100, 'maximum relevance tests per query; 100, 500 and 1,500 in the publication', 10_000),
    perCommunity: count(5, 'chunks of a community tested before the next community'),
    patience: count(3, 'communities in a row without a relevant chunk before the search goes deeper'),
    relevance: share(
      0.5,
      "minimum share of the weight of the query's words in a sentence of a relevant chunk; without `model`",
    ),
    pool: pool(),
    ...roleParams('tests the relevance of chunks, one call each, in place of a rule', HOLES),
  })
  .superRefine(refuseIdleRole)

export default defineStrategy({
  name: 'lazy-graphrag',
  summary:
    'searches groups of related entities (communities), the best first, and tests their chunks for relevance within a budget',
  source: 'Edge et al., LazyGraphRAG, Microsoft Research, 2024',
  params,
  files: promptFiles(HOLES),
  make: (params) => ({
    retrieve(query) {
      const { budget, perCommunity, patience, relevance, pool: depth } = params
      const options = { budget, perCommunity, patience }
      const vector = embedQuery([query])
      const asked = askedRole(params, 'test-relevance')
      const search = asked
        ? searchByModel([query, vector], { ...asked, ...options })
        : searchByWords([query, vector], { ...options, relevance })
      const relevant = rankRelevant([search])
      const dense = searchDense([vector], { depth })
      const ranking = appendRanking([relevant, dense], { depth })
      return { ranking: fallbackUnlinked(relevant, ranking, dense, 'no chunk is relevant') }
    },
  }),
})
