import { z } from 'zod'
import { promptFiles, stepPromptParams } from '../../models/prompts/prompt.ts'
import type { Query, Ranking } from '../../types.ts'
import type { Expression } from '../step.ts'
import {
  type Agenda,
  askFollowUps,
  askPrimer,
  nextQueries,
  noAgenda,
  quotePrimer,
  takenQueries,
} from '../steps/drift.ts'
import { embedGraphQuery } from '../steps/embed.ts'
import { fallbackUnlinked } from '../steps/fallback.ts'
import { fuseRanks } from '../steps/fuse.ts'
import { linkEntities, linkReports } from '../steps/link.ts'
import { citeLocal, rankLocal, selectLocal } from '../steps/local-search.ts'
import { count, pool, refuser } from '../steps/params.ts'
import { noRanking, queryAt, rankingAt } from '../steps/queries.ts'
import { askedRole, refuseIdleRole, roleParams } from '../steps/roles.ts'
import { searchQuery } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

const PRIMER_HOLES = ['query', 'reports']
const ACTION_HOLES = ['query', 'question', 'passages']

/** GraphRAG asks for twice as many entities as its setting says. */
const ENTITIES = 2 * 10

/** GraphRAG's settings of the local search that follows each query. */
const LOCAL = { relationshipsPerEntity: 10, contextTokens: 12_000, sourceShare: 0.9, reportShare: 0.1 }

const params = z
  .strictObject({
    reports: count(20, 'number of nearest reports that the primer reads'),
    folds: count(5, 'number of calls in which the primer reads the reports; with `model`', 100),
    followUps: count(20, 'maximum number of follow-up queries per round', 100),
    rounds: z
      .int()
      .min(1)
      .max(10)
      .optional()
      .describe('rounds of follow-up queries; default: 3 with `model`, else 1'),
    pool: pool(),
    ...roleParams('reads reports and contexts, and asks follow-up queries', PRIMER_HOLES),
    ...stepPromptParams('followUp', ACTION_HOLES),
  })
  .superRefine((params, context) => {
    const refuse = refuser(context)
    refuseIdleRole(params, context)
    for (const param of ['rounds', 'followUpPrompt'] as const)
      if (params.model === undefined && params[param] !== undefined) refuse(param, 'is for a `model`')
  })

export default defineStrategy({
  name: 'drift',
  summary:
    'derives follow-up queries from community reports, searches the graph for each as graphrag-local does, and fuses the rankings',
  source:
    'microsoft/graphrag v3, DRIFT search; Whiting et al., Introducing DRIFT Search, Microsoft Research, 2024',
  params,
  files: promptFiles(PRIMER_HOLES, { followUp: ACTION_HOLES }),
  make: (params) => ({
    retrieve(query) {
      const { reports, folds, followUps: count, rounds = 3, pool: depth } = params
      const linked = linkReports([embedGraphQuery(query)], { communities: reports })
      const asked = askedRole(params, 'drift-primer')
      const acted = askedRole({ ...params, prompt: params.followUpPrompt }, 'drift-follow-up')
      const primed = asked ? askPrimer([query, linked], { ...asked, folds }) : quotePrimer([query, linked])
      const first = searchLocally(query, depth)
      const nothing = noRanking([query])
      const rankings = [first.ranking]
      let agenda: Expression<Agenda> = nextQueries([query, noAgenda([query]), primed], { count })
      for (let round = 1; ; round++) {
        const queries = takenQueries([agenda])
        const actions = Array.from({ length: count }, (_, index) => {
          const local = searchLocally(queryAt([query, queries], { index }), depth)
          rankings.push(rankingAt([queries, local.ranking, nothing], { index }))
          return { index, ...local }
        })
        if (!acted || round === rounds) break
        const replies = actions.map(({ index, context, evidence }) =>
          askFollowUps([query, agenda, context, evidence], { ...acted, index }),
        )
        agenda = nextQueries([query, agenda, ...replies], { count })
      }
      const dense = searchQuery(query, depth)
      return {
        ranking: fallbackUnlinked(first.linked, fuseRanks(rankings), dense, 'no entity is linked'),
        evidence: first.evidence,
      }
    },
  }),
})

function searchLocally(query: Expression<Query>, depth: number) {
  const linked: Expression<Ranking> = linkEntities([embedGraphQuery(query)], { entities: ENTITIES })
  const context = selectLocal([linked], LOCAL)
  return { linked, context, ranking: rankLocal([context], { depth }), evidence: citeLocal([context]) }
}
