import { z } from 'zod'
import { promptFiles } from '../../models/prompts/prompt.ts'
import { embedGraphQuery, embedQuery } from '../steps/embed.ts'
import { fallbackUnlinked } from '../steps/fallback.ts'
import {
  filterFacts,
  linkFacts,
  NOT_COVERED,
  requireCoverage,
  walkHippo,
  weighPhrases,
} from '../steps/hipporag.ts'
import { count, damping, pool, weight } from '../steps/params.ts'
import { askedRole, refuseIdleRole, roleParams } from '../steps/roles.ts'
import { searchDense } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

const HOLES = ['query', 'facts']

/**
 * HippoRAG 2. Where fewer than half of the nearest passages hold a phrase of a fact, the original's filter, a model,
 * would leave no fact.
 */
export default defineStrategy({
  name: 'hipporag',
  summary:
    'ranks passages by a random walk (personalised PageRank) in a graph of phrases and passages, from phrases that match the query',
  source: 'Gutiérrez et al., ICML 2025; OSU-NLP-Group/HippoRAG',
  params: z
    .strictObject({
      damping: damping(0.5),
      facts: count(5, 'facts linked to the query', 100),
      phrases: count(5, 'phrases of the facts from which the walk starts', 200),
      passageWeight: weight(0.05, 'weight of passages in the start of the walk, by their cosine', 100),
      pool: pool(),
      ...roleParams('selects the helpful facts among the linked ones', HOLES),
    })
    .superRefine(refuseIdleRole),
  files: promptFiles(HOLES),
  make: ({ damping, facts, phrases, passageWeight, pool: depth, ...role }) => ({
    retrieve(query) {
      const vector = embedQuery([query])
      const dense = searchDense([vector], { depth })
      const linked = linkFacts([embedGraphQuery(query)], { facts })
      const covered = requireCoverage([linked, dense])
      const asked = askedRole(role, 'filter-facts')
      const kept = asked ? filterFacts([query, covered], asked) : linked
      const reset = weighPhrases([kept], { phrases })
      const walked = walkHippo([reset, vector], { damping, passageWeight, depth })
      const helped = asked
        ? fallbackUnlinked(kept, walked, dense, 'the model kept none of the facts')
        : walked
      const ranking = fallbackUnlinked(covered, helped, dense, NOT_COVERED)
      return { ranking: fallbackUnlinked(linked, ranking, dense, 'nothing is linked') }
    },
  }),
})
