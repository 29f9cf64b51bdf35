import { descend } from '../graph/descend.ts'
import { rateReports } from '../graph/report-points.ts'
import { communityLevel } from '../graph/report-roll.ts'
import { communitiesTable } from '../indexes/communities.ts'
import { askedLevel } from '../indexes/community-level.ts'
import type { Recipe } from '../indexes/recipe.ts'
import { type Batches, batchReports, reportBatches } from '../indexes/report-batches.ts'
import { reportSentences } from '../indexes/report-sentences.ts'
import { communityReports } from '../indexes/reports.ts'
import { createRandom, shuffle } from '../statistics/random.ts'
import { countTokens } from '../text/tokens.ts'
import type { Query, Ranking } from '../types.ts'
import { RATE_PROMPT } from './global-prompts.ts'
import { defineStep } from './step.ts'

/** The reports that map calls read, one batch a call, and what choosing them cost. */
export interface ReportSet {
  readonly batches: Batches
  readonly modelCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

const FREE = { modelCalls: 0, inputTokens: 0, outputTokens: 0 }

/** Linked reports, each read by a call of its own. */
export const readEach = defineStep<null, [Ranking], Record<never, never>, ReportSet>({
  name: 'read-each',
  version: 1,
  run([{ rows }]) {
    return { batches: Array.from(rows, (row) => [row]), ...FREE }
  },
})

type AllParams = { readonly communityLevel?: number; readonly tokens: number; readonly seed: number }

/** All reports down to a level, in shuffled batches. */
export const readAll = defineStep<AllParams, [Query], ReturnType<typeof all>, ReportSet>({
  name: 'read-all',
  version: 1,
  artifacts: all,
  requires: (recipe, { communityLevel }) => askedLevel(recipe, communityLevel),
  run(_inputs, { artifacts: { batches } }) {
    return { batches, ...FREE }
  },
})

type DescendParams = AllParams & { readonly rating: number }

/** The reports that dynamic selection keeps, in shuffled batches; every rating is a model call, here the extractive stand-in's. */
export const readRated = defineStep<DescendParams, [Query], ReturnType<typeof rated>, ReportSet>({
  name: 'rate-reports',
  version: 1,
  artifacts: rated,
  requires: (recipe, { communityLevel }) => askedLevel(recipe, communityLevel),
  counts: ({ modelCalls, inputTokens, outputTokens }) => ({ modelCalls, inputTokens, outputTokens }),
  run([{ text }], { params, artifacts: { sentences, reports, communities } }) {
    const ratings = rateReports(sentences, sentences.matches(text), sentences.terms(text), reports.size)
    const level = communityLevel(communities, params.communityLevel)
    const found = descend(reports, communities, (report) => ratings[report], params.rating, level)
    const asked = countTokens(RATE_PROMPT) + countTokens(text)
    const kept = shuffle([...found.kept], createRandom(params.seed))
    return {
      batches: batchReports(kept, reports.tokens, params.tokens),
      modelCalls: found.rated.length,
      inputTokens: found.rated.reduce((sum, report) => sum + asked + reports.tokens[report], 0),
      outputTokens: found.rated.length,
    }
  },
})

function all(recipe: Recipe, params: AllParams) {
  return { batches: reportBatches(recipe, params) }
}

function rated(recipe: Recipe) {
  return {
    sentences: reportSentences(recipe),
    reports: communityReports(recipe),
    communities: communitiesTable(recipe),
  }
}
