import { z } from 'zod'
import { promptFiles, stepPromptParams } from '../../models/prompts/prompt.ts'
import type { Query } from '../../types.ts'
import type { Expression } from '../step.ts'
import { askedRole, refuseIdleRole, roleParams } from '../steps/asking.ts'
import { fallbackUnlinked } from '../steps/combine.ts'
import { linkReports } from '../steps/link.ts'
import { count, pool, refuser, seed } from '../steps/params.ts'
import {
  askPoints,
  askRatings,
  citePoints,
  citeReports,
  type Mapped,
  mapReduceReports,
  projectReports,
  type ReportSet,
  rankReports,
  readAll,
  readEach,
  readRated,
} from '../steps/read-reports.ts'
import { embedGraphQuery, searchQuery } from '../steps/search.ts'
import { defineStrategy } from './index.ts'

const MAP_HOLES = ['query', 'reports']
const RATE_HOLES = ['query', 'report']

const params = z
  .strictObject({
    variant: z
      .enum(['simple', 'graphrag', 'dynamic'])
      .default('simple')
      .describe(
        'reports read: the nearest (simple, seed document 003), all (graphrag), or those rated relevant on the way down (dynamic)',
      ),
    communities: count(5, 'community reports read; simple'),
    communityLevel: z
      .int()
      .min(0)
      .max(100)
      .optional()
      .describe(
        'the deepest level of communities read, 0 is the coarsest; default: 2, or the deepest available; graphrag, dynamic',
      ),
    rating: z.int().min(0).max(5).default(1).describe('minimum rating of a report; dynamic'),
    batchTokens: count(12_000, 'o200k tokens of reports per map call; graphrag, dynamic', 1_000_000),
    cite: z
      .enum(['points', 'reports'])
      .default('points')
      .describe('evidence: points of the reports, or whole reports with title and size'),
    pool: pool(),
    ...roleParams(
      'rates reports and finds their points, in place of a rule that selects sentences',
      MAP_HOLES,
    ),
    seed: seed(
      86,
      'seed of the shuffle of community reports (graphrag, dynamic), and number of a sample among several completions',
    ),
    ...stepPromptParams('rate', RATE_HOLES),
  })
  .superRefine((params, context) => {
    const refuse = refuser(context)
    refuseIdleRole({ ...params, seed: undefined }, context)
    if (params.ratePrompt !== undefined && (params.model === undefined || params.variant !== 'dynamic'))
      refuse('ratePrompt', 'is for a `model` with `variant: dynamic`')
  })
type Params = z.output<typeof params>

export default defineStrategy({
  name: 'graphrag-global',
  summary:
    'reads reports on groups of related entities (communities), and ranks the chunks of groups whose reports fit the query',
  source: 'Edge et al., 2024; microsoft/graphrag v3, global search; seed document 003 (simple)',
  params,
  files: promptFiles(MAP_HOLES, { rate: RATE_HOLES }),
  make: (params) => ({
    retrieve(query) {
      const { variant, cite, pool: depth } = params
      const linked = variant === 'simple' ? nearest(query, params) : null
      const read = linked ? readEach([linked]) : readMany(query, params)
      const mapRole = askedRole(params, 'map-reports')
      const mapped: Expression<Mapped> = mapRole
        ? askPoints([query, read], mapRole)
        : mapReduceReports([query, read])
      const reports = linked ?? rankReports([mapped])
      const ranking = projectReports([reports], { depth })
      const dense = searchQuery(query, depth)
      return {
        ranking: fallbackUnlinked(reports, ranking, dense, 'no report is relevant'),
        evidence: cite === 'reports' ? citeReports([reports]) : citePoints([mapped]),
      }
    },
  }),
})

function nearest(query: Expression<Query>, { communities }: Params) {
  return linkReports([embedGraphQuery(query)], { communities })
}

function readMany(query: Expression<Query>, params: Params): Expression<ReportSet> {
  const { variant, communityLevel, batchTokens, seed, rating } = params
  const batches = { communityLevel, tokens: batchTokens, seed }
  const rateRole = askedRole({ ...params, prompt: params.ratePrompt }, 'rate-report')
  if (variant === 'dynamic' && rateRole) return askRatings([query], { ...rateRole, ...batches, rating })
  return variant === 'dynamic' ? readRated([query], { ...batches, rating }) : readAll([query], batches)
}
