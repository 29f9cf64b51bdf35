import { z } from 'zod'
import { promptFiles } from '../../models/prompts/prompt.ts'
import type { Query, Ranking } from '../../types.ts'
import type { Expression } from '../step.ts'
import { hashGroups, readGroups } from '../steps/groups.ts'
import {
  addHop,
  afterHops,
  askHopJudge,
  askNextThought,
  askUnmatched,
  firstHop,
  JUDGES,
  judgeHop,
  lookUpHeaders,
  lookUpNothing,
  restOf,
  stopOrHop,
} from '../steps/hops.ts'
import { BM25, count, pool, refuser, share } from '../steps/params.ts'
import { askedRole, refuseIdleRole, roleParams } from '../steps/roles.ts'
import { searchHybrid } from '../steps/search.ts'
import { defineStrategy, type Inner } from './index.ts'

const HOLES = ['query', 'passages']

const params = z
  .strictObject({
    of: z
      .string()
      .min(1)
      .optional()
      .describe('the trial for the first search and for names without a matching heading; default: `hybrid`'),
    maxHops: z.int().min(0).max(10).default(1).describe('hops after the first search; 0: only that search'),
    hopChunks: count(5, 'chunks from the first search and from each hop', 100),
    judge: z
      .enum([...JUDGES, 'model', 'ircot'])
      .default('links')
      .describe(
        'missing information: titles and words of the question; with `links` also titles linked to the chunks so far; by a `model`; or the next sentence of its chain of thought, which is searched for (`ircot`)',
      ),
    headers: z
      .boolean()
      .default(true)
      .describe(
        'look up each name from the judge by heading; if false, search for all names as one query, as the seed document does',
      ),
    threshold: share(0.85, 'minimum similarity of a heading'),
    pool: pool(),
    groups: z
      .string()
      .min(1)
      .optional()
      .meta({ path: true })
      .describe(
        'a YAML or JSON file of groups of related things, for the judge: `group: {members, abilities, aliases}`',
      ),
    filterGroups: z
      .boolean()
      .optional()
      .describe(
        'show the judge only the groups that the question names, or all if it names none; default: true',
      ),
    ...roleParams('judges, with `judge: model` or `ircot`', HOLES),
  })
  .superRefine((params, context) => {
    const refuse = refuser(context)
    const { judge, model } = params
    const asks = judge === 'model' || judge === 'ircot'
    if (asks && model === undefined) refuse('judge', `\`${judge}\` needs a \`model\``)
    if (params.groups !== undefined && judge !== 'model') refuse('groups', 'need `judge: model`')
    if (params.filterGroups !== undefined && params.groups === undefined)
      refuse('filterGroups', 'is for `groups`, and there are none')
    if (model !== undefined && !asks) refuse('model', 'is asked with `judge: model` or `ircot` only')
    refuseIdleRole(params, context)
  })

type Params = z.output<typeof params>

/** Unrolls the hops: each adds the new chunks below those so far; then come the other results of the first search. */
export default defineStrategy({
  name: 'multi-hop',
  summary: 'searches again for information that a judge finds missing, by heading first',
  source: 'seed document 002, Multi-Hop Retrieval',
  params,
  files: (params) => ({
    ...promptFiles(params.groups === undefined ? HOLES : [...HOLES, 'groups'])(params),
    ...hashGroups(params.groups),
  }),
  make: (params) => ({
    retrieve(query, inner) {
      const { maxHops, hopChunks: limit, pool: depth } = params
      const first = searchBy(query, params, inner)
      if (maxHops === 0) return { ranking: first }
      const hopFrom = (sofar: Expression<Ranking>, hop: number): Expression<Ranking> => {
        if (hop > maxHops) return sofar
        const verdict = judged(query, sofar, hop, params)
        const byHeading =
          params.headers && params.judge !== 'ircot'
            ? lookUpHeaders([verdict], { threshold: params.threshold, limit })
            : lookUpNothing([verdict])
        const rest = restOf(byHeading, searchBy(askUnmatched([query, byHeading]), params, inner))
        const next = addHop([sofar, byHeading, rest], { hop, limit })
        return stopOrHop([verdict, sofar, hopFrom(next, hop + 1)])
      }
      return { ranking: afterHops([hopFrom(firstHop([first], { limit }), 1), first], { depth }) }
    },
  }),
})

function judged(query: Expression<Query>, sofar: Expression<Ranking>, hop: number, params: Params) {
  const { judge, filterGroups: filter = true } = params
  const groups = params.groups === undefined ? undefined : readGroups(params.groups)
  if (judge === 'rules' || judge === 'links') return judgeHop([query, sofar], { hop, judge })
  const prompt = judge === 'ircot' ? 'ircot' : groups ? 'judge-hop-groups' : 'judge-hop'
  const asked = askedRole(params, prompt)
  if (!asked) throw new Error(`${judge} without a model`)
  if (judge === 'ircot') return askNextThought([query, sofar], { ...asked, hop })
  return askHopJudge([query, sofar], { ...asked, hop, ...(groups && { groups, filter }) })
}

function searchBy(query: Expression<Query>, params: Params, inner: Inner): Expression<Ranking> {
  if (params.of !== undefined) return inner(params.of, query).ranking
  return searchHybrid(query, { depth: params.pool, index: BM25 })
}
