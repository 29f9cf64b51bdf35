import { z } from 'zod'
import { promptFiles, stepPromptParams } from '../../../models/prompts/params.ts'
import type { Query } from '../../../types.ts'
import type { Expression } from '../../step.ts'
import { embedGraphQuery, embedQuery } from '../../steps/embed.ts'
import { engineName, searchDenseIn } from '../../steps/engine.ts'
import { fallbackUnlinked } from '../../steps/fallback.ts'
import { linkReports } from '../../steps/link.ts'
import { pool, seed } from '../../steps/params.ts'
import { askedRole, modelValue, refuseIdleRole, roleParams } from '../../steps/roles.ts'
import { defineStrategy } from '../define.ts'
import { askPoints, askRatings } from './ask-reports.ts'
import {
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
} from './steps.ts'

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
    communities: z.int().min(1).max(1000).default(5).describe('community reports read; simple'),
    communityLevel: z
      .int()
      .min(0)
      .max(100)
      .optional()
      .describe(
        'the deepest level of communities read, 0 is the coarsest; default: 2, or the deepest available; graphrag, dynamic',
      ),
    rating: z.int().min(0).max(5).default(1).describe('minimum rating of a report; dynamic'),
    batchTokens: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(12_000)
      .describe('o200k tokens of reports per map call; graphrag, dynamic'),
    cite: z
      .enum(['points', 'reports'])
      .default('points')
      .describe('evidence: points of the reports, or whole reports with title and size'),
    pool: pool(),
    engine: engineName('dense search, which it starts from or falls back to,'),
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
  .superRefine((given, { addIssue }) => {
    const refuse = (param: string, message: string) => addIssue({ code: 'custom', path: [param], message })
    refuseIdleRole({ ...given, seed: undefined }, undefined, refuse)
    if (given.ratePrompt !== undefined && (given.model === undefined || given.variant !== 'dynamic'))
      refuse('ratePrompt', 'is for a `model` with `variant: dynamic`')
  })
type Params = z.output<typeof params>

/**
 * Reads reports about communities of entities instead of chunks: a map call a batch of reports, one reduce call.
 *
 *     score(chunk) = best over reports of report's score * share of the community's entities in the chunk
 *
 * A report's score is its cosine (simple) or its best point's (graphrag, dynamic). Without `model` the reader is an
 * extractive stand-in, and calls and tokens are counted as a model's would be. With one the map calls are made, and the reduce
 * call is left to `answer`, which gets the points: a ranking needs none. For questions without gold passages recall says little: read
 * coverage and tokens instead. If no report is relevant, the dense ranking is used, counted as a fallback.
 */
export const graphragGlobal = defineStrategy({
  name: 'graphrag-global',
  summary:
    'reads reports on groups of related entities (communities), and ranks the chunks of groups whose reports fit the query',
  source: 'Edge et al., 2024; microsoft/graphrag v3, global search; seed document 003 (simple)',
  params,
  files: promptFiles(MAP_HOLES, { rate: RATE_HOLES }),
  retrieve({ query, params }) {
    const { variant, cite, pool: depth } = params
    const linked = variant === 'simple' ? nearest(query, params) : null
    const read = linked ? readEach([linked], null) : readMany(query, params)
    const asked = askedRole(params, 'map-reports')
    const mapped: Expression<Mapped> = asked
      ? modelValue(askPoints([query, read], asked))
      : mapReduceReports([query, read], null)
    const reports = linked ?? rankReports([mapped], null)
    const ranking = projectReports([reports], { depth })
    const dense = searchDenseIn(params.engine, embedQuery([query], null), depth)
    return {
      ranking: fallbackUnlinked(reports, ranking, dense, 'no report is relevant'),
      evidence: cite === 'reports' ? citeReports([reports], null) : citePoints([mapped], null),
    }
  },
})

function nearest(query: Expression<Query>, { communities }: Params) {
  return linkReports([embedGraphQuery(query)], { communities })
}

function readMany(query: Expression<Query>, params: Params): Expression<ReportSet> {
  const { variant, communityLevel, batchTokens, seed, rating } = params
  const batches = { communityLevel, tokens: batchTokens, seed }
  const asked = askedRole({ ...params, prompt: params.ratePrompt }, 'rate-report')
  if (variant === 'dynamic' && asked) return modelValue(askRatings([query], { ...asked, ...batches, rating }))
  return variant === 'dynamic' ? readRated([query], { ...batches, rating }) : readAll([query], batches)
}
